import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '@trotline/engine';
import { describe, expect, it } from 'vitest';
import { installPicoclawProcesses, isGuard, preparePicoclawProcess } from '../../../src/dialects/picoclaw/index.ts';
import { cleanUp, lineWith, scripted, spec, tempFolder, until } from './support.ts';

const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('process hooks', () => {
  it('are stopped by close, and their links are off the line', async () => {
    const { engine, installed } = await lineWith([(await scripted({ before_tool: { action: 'deny_tool' } })).spec]);
    const pid = installed.health()[0]!.pid!;
    expect((await engine.tool({ tool: 'T', input: {} }, () => 'ran')).deny).toBeDefined();
    await installed.close();
    expect(gone(pid)).toBe(true);
    expect((await engine.tool({ tool: 'T', input: {} }, () => 'ran')).text).toBe('ran');
  });

  it('stop together when one of them cannot start, and the line is as before', async () => {
    const engine = createEngine();
    const good = await scripted({ before_tool: { action: 'deny_tool' } });
    const install = installPicoclawProcesses(engine, {
      processes: [good.spec, spec({ name: 'bad', command: ['/nowhere/hook'], intercept: ['approve_tool'] })],
    });
    await expect(install).rejects.toMatchObject({ code: 'supervise.cannot-start' });
    expect((await engine.tool({ tool: 'T', input: {} }, () => 'ran')).text).toBe('ran');
  });

  it('that cannot start and are kept all the same deny what they guard', async () => {
    const { engine, installed } = await lineWith(
      [spec({ name: 'bad', command: ['/nowhere/hook'], intercept: ['approve_tool'] })],
      { keepGoing: true },
    );
    expect(installed.health()[0]?.state).toBe('failed');
    const { deny } = await engine.tool({ tool: 'T', input: {} }, () => 'ran');
    expect(deny).toMatch(/^tool approval hook "bad" failed: .*\/nowhere\/hook does not exist/);
  });

  it.each([
    [['cat'], 'gave the request hook.hello back instead of answering it'],
    [[process.execPath, 'hooks/nowhere.mjs'], 'hooks/nowhere.mjs does not exist in '],
  ])('%j does not come up, and says why', async (command, why) => {
    const prepared = preparePicoclawProcess(spec({ command, intercept: ['before_tool'], onError: 'closed' }));
    await expect(prepared).rejects.toMatchObject({ failureClass: 'start', message: expect.stringContaining(why) });
  });

  it('say how they stand without being called: ok, about to come back, or down', async () => {
    const restart = { enabled: true, max: 2, windowMs: 60_000, backoffMs: 30_000 };
    const { installed } = await lineWith([(await scripted({ before_tool: {} }, { restart })).spec]);
    const [before] = installed.health();
    expect([before?.health, before?.problem]).toEqual(['ok', undefined]);
    process.kill(before!.pid!, 'SIGKILL');
    await until(() => installed.health()[0]?.health === 'failing');
    expect(installed.health()[0]?.problem).toMatch(/is about to be started again.*ended by SIGKILL/);
    await installed.close();
    expect(installed.health()[0]?.health).toBe('down');
    const stays = await lineWith([(await scripted({ before_tool: {} })).spec]);
    process.kill(stays.installed.health()[0]!.pid!, 'SIGKILL');
    await until(() => stays.installed.health()[0]?.health === 'down');
    expect(stays.installed.health()[0]?.problem).toContain('ended by SIGKILL');
  });

  it('stand on the line with their lane, their place and the time that they have', async () => {
    const timeouts = { observerMs: 500, interceptorMs: 1234, approvalMs: 4321, handshakeMs: 10_000 };
    const hook = await scripted({ before_tool: {}, approve_tool: {}, before_llm: {} }, { timeouts, onError: 'closed' });
    const { engine } = await lineWith([hook.spec]);
    const shown = engine
      .links()
      .map(({ event, name, budgetMs, owner, onFailure }) => [
        event,
        name,
        budgetMs,
        owner.lane,
        owner.place,
        onFailure,
      ]);
    expect(shown.sort()).toEqual([
      ['llm.request', 'hook.before_llm', 1234, 'process', 'trotline.json:1:1', 'closed'],
      ['tool.call', 'hook.before_tool', 1234, 'process', 'trotline.json:1:1', 'closed'],
      ['tool.check', 'hook.approve_tool', 4321, 'process', 'trotline.json:1:1', 'closed'],
    ]);
  });

  it('come back after a crash and guard again', async () => {
    const hook = await scripted(
      { before_tool: 'die' },
      { onError: 'closed', restart: { enabled: true, max: 5, windowMs: 60_000, backoffMs: 10 } },
    );
    const { engine, installed } = await lineWith([hook.spec]);
    const before = installed.health()[0]?.pid;
    await engine.tool({ tool: 'T', input: {} }, () => 'ran');
    await until(() => installed.health()[0]?.state === 'ready');
    expect(installed.health()[0]?.pid).not.toBe(before);
    expect(installed.health()[0]?.restarts).toBe(1);
  });

  it('can be prepared without standing on a line', async () => {
    const hook = await scripted({ before_tool: { action: 'deny_tool' } });
    const prepared = await preparePicoclawProcess(hook.spec);
    cleanUp(() => prepared.discard());
    const engine = createEngine();
    expect((await engine.tool({ tool: 'T', input: {} }, () => 'ran')).text).toBe('ran');
    const installed = prepared.seat(engine);
    expect((await engine.tool({ tool: 'T', input: {} }, () => 'ran')).deny).toBeDefined();
    await installed.close();
  });

  it('write what they print to a file of their own', async () => {
    const logDir = await tempFolder();
    const script =
      'console.error("a complaint"); process.stdin.once("data", () => console.log(JSON.stringify({ id: 1, result: {} })))';
    const { installed } = await lineWith(
      [spec({ name: 'a/b', command: [process.execPath, '-e', script], observe: ['*'] })],
      { logDir },
    );
    await installed.close();
    expect(await readFile(join(logDir, 'a%2Fb.log'), 'utf8')).toBe('a complaint\n');
  });

  it.each([
    [{ observe: ['agent.*'] }, 'picoclaw.unsupported-event'],
    [{ intercept: ['before_everything'] }, 'picoclaw.unsupported-point'],
    [{}, 'picoclaw.no-modes'],
  ])('are refused before anything starts when configured with %j', async (entry, code) => {
    await expect(preparePicoclawProcess(spec(entry))).rejects.toMatchObject({ code });
  });

  it('are told when they are only tried out', async () => {
    const hook = await scripted({ before_tool: { action: 'deny_tool' } });
    const { engine } = await lineWith([hook.spec]);
    await engine.explain('tool.call', { tool: 'T', tool_use_id: 'x' }, { run: true });
    expect((await hook.sent()).at(-1)?.params['dry_run']).toBe(true);
  });

  it('are guards when they approve, or when their failures must block', () => {
    expect(isGuard({ intercept: ['approve_tool'] })).toBe(true);
    expect(isGuard({ intercept: ['before_tool'] })).toBe(false);
    expect(isGuard({ intercept: ['before_tool'], onError: 'closed' })).toBe(true);
    expect(isGuard({ intercept: ['approve_tool'], onError: 'open' })).toBe(false);
  });
});

describe('observing', () => {
  const ended = { tool: 'T', toolUseId: 'x', input: {}, ms: 2, isError: false, textLength: 3 };

  it.each([
    ['a hook of the documents', { name: 'h', protocol_version: 1 }, ['tool_exec_end'], ['hook.event']],
    ['a hook of today', { name: 'h', version: 1 }, ['agent.tool.exec_end'], ['hook.runtime_event']],
    ['a hook that knows only old names', {}, ['tool_exec_end'], ['hook.runtime_event', 'hook.event']],
  ])('tells %s in its own words', async (_, hello, observe, methods) => {
    const hook = await scripted({}, { hello, observe });
    const { engine } = await lineWith([hook.spec]);
    engine.notice('tool.skipped', { tool: 'T', toolUseId: 'x', reason: 'not observed' });
    engine.notice('tool.ended', ended);
    await until(async () => (await hook.sent()).length > methods.length);
    const events = (await hook.sent()).slice(1);
    expect(events.map((event) => event.method)).toEqual(methods);
    for (const { notification, params } of events) {
      expect(notification).toBe(true);
      expect(params).toMatchObject({
        kind: 'agent.tool.exec_end',
        type: 'tool_exec_end',
        payload: { Tool: 'T', Duration: 2e6, IsError: false },
        data: { tool: 'T', Tool: 'T', is_error: false },
        Kind: 9,
      });
    }
  });

  it('tells of the turn, with its prompt and answer', async () => {
    const hook = await scripted({}, { observe: ['agent.turn.start', 'agent.turn.end'] });
    const { engine } = await lineWith([hook.spec]);
    engine.notice('turn.started', { text: 'hello', turnId: 't1', sessionId: 's1' });
    const tools = [{ name: 'Bash', success: true }];
    engine.notice('turn.ended', {
      status: 'completed',
      iterations: 2,
      durationMs: 5,
      text: 'hello',
      answer: 'bye',
      tools,
    });
    await until(async () => (await hook.sent()).length > 2);
    expect((await hook.sent()).slice(1).map(({ params }) => [params['kind'], params['payload']])).toEqual([
      ['agent.turn.start', { UserMessage: 'hello', MediaCount: 0 }],
      [
        'agent.turn.end',
        expect.objectContaining({
          Status: 'completed',
          UserMessage: 'hello',
          FinalContent: 'bye',
          FinalContentLen: 3,
          Duration: 5e6,
          ToolKinds: ['exec'],
        }),
      ],
    ]);
  });
});
