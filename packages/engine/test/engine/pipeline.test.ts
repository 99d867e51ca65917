import { describe, expect, test } from 'vitest';
import { AbortTurn, createEngine, HardAbort, type Observed } from '../../src/index.ts';
import {
  defaultAsk,
  madeFile,
  managedDeny,
  noticesOf,
  personAllow,
  personDeny,
  rows,
  ruleAllow,
  ruleAsk,
  ruleDeny,
  told,
  withRule,
} from './helpers.ts';

const bash = { tool: 'Bash', input: { command: 'ls' } } as const;

describe('the order of one call', () => {
  test('goes from the hooks through PreToolUse, rules, tool.check and the question to the record, the tool and PostToolUse', async () => {
    const steps: string[] = [];
    const line = createEngine({
      gate: {
        managed: () => void steps.push('managed'),
        rules: () => {
          steps.push('rules');
          return ruleAsk();
        },
        ask: async () => {
          steps.push('ask');
          return personAllow();
        },
      },
      recorder: { decided: () => void steps.push('decided'), settled: () => void steps.push('settled') },
    });
    for (const event of ['tool.call', 'classic.PreToolUse', 'tool.check', 'classic.PostToolUse'] as string[]) {
      line.on(event, async (_$, e, next) => {
        steps.push(`> ${event}`);
        const result = await next(e);
        steps.push(`< ${event}`);
        return result;
      });
    }
    await line.tool(bash, () => {
      steps.push('run');
      return 'ran';
    });
    expect(steps).toEqual([
      'managed',
      '> tool.call',
      'managed',
      '> classic.PreToolUse',
      '< classic.PreToolUse',
      'managed',
      'rules',
      '> tool.check',
      '< tool.check',
      'ask',
      'decided',
      'run',
      'settled',
      '> classic.PostToolUse',
      '< classic.PostToolUse',
      '< tool.call',
    ]);
  });

  test('a failed tool raises tool.error and PostToolUseFailure, and not PostToolUse', async () => {
    const raised: string[] = [];
    const line = createEngine();
    for (const event of ['tool.error', 'classic.PostToolUse', 'classic.PostToolUseFailure'] as string[]) {
      line.on(event, (_$, e, next) => {
        raised.push(`${event} ${e['error'] ?? ''}`);
        return next(e);
      });
    }
    const out = await line.tool(bash, () => {
      throw new Error('no such file');
    });
    expect(out).toMatchObject({ isError: true, text: 'no such file' });
    expect(raised).toEqual(['tool.error no such file', 'classic.PostToolUseFailure no such file']);
  });
});

describe('the managed layer', () => {
  test('denies before any hook sees the call', async () => {
    const made = madeFile();
    const seen: string[] = [];
    const line = createEngine({ gate: { managed: () => managedDeny() } });
    line.on('*', (_$, e, next) => {
      seen.push(next.event);
      return next(e);
    });
    expect(await line.tool(bash, made.run)).toEqual({ deny: 'deny by managed' });
    expect(made.ran).toBe(false);
    expect(seen).toEqual([]);
  });

  test('is asked again about what the hooks made of the call', async () => {
    const made = madeFile();
    const line = createEngine({
      gate: { managed: ({ input }) => (input['command'] === 'rm' ? managedDeny() : undefined) },
    });
    line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => next({ ...e, command: 'rm' }));
    expect(await line.tool(bash, made.run)).toEqual({ deny: 'deny by managed' });
    expect(made.ran).toBe(false);
  });

  test('that denies the rewritten call keeps it from the settings hooks', async () => {
    const seen: string[] = [];
    const line = createEngine({
      gate: { managed: ({ input }) => (input['command'] === 'rm' ? managedDeny() : undefined) },
    });
    line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => next({ ...e, command: 'rm' }));
    line.on('classic.PreToolUse', (_$, e, next) => {
      seen.push(next.event);
      return next(e);
    });
    await line.tool(bash, () => 'ran');
    expect(seen).toEqual([]);
  });

  test('that throws denies, and says why', async () => {
    const made = madeFile();
    const line = createEngine({
      gate: {
        rules: () => {
          throw new Error('no rules today');
        },
      },
    });
    expect((await line.tool(bash, made.run)).deny).toContain('no rules today');
    expect(made.ran).toBe(false);
  });
});

describe('rewrites', () => {
  test('reach the tool, and the rules see the final value', async () => {
    const judged: unknown[] = [];
    const line = createEngine({ gate: { rules: ({ input }) => void judged.push(input['command']) } });
    line.on('tool.call', { tool: 'Bash' }, (_$, e, next) => next({ ...e, command: `${e.command} -l` }));
    const out = await line.tool(bash, ({ input }) => String(input['command']));
    expect(out.text).toBe('ls -l');
    expect(judged).toEqual(['ls -l']);
  });

  test('PreToolUse’s updatedInput replaces all arguments, before the rules', async () => {
    const judged: unknown[] = [];
    const line = createEngine({ gate: { rules: ({ input }) => void judged.push(input) } });
    line.on('classic.PreToolUse', () => ({ updatedInput: { command: 'pwd' } }));
    const out = await line.tool({ tool: 'Bash', input: { command: 'ls', timeout: 5 } }, ({ input }) =>
      JSON.stringify(input),
    );
    expect(out.text).toBe('{"command":"pwd"}');
    expect(judged).toEqual([{ command: 'pwd' }]);
  });

  test('PreToolUse’s updatedInput leaves the arguments that no hook is shown', async () => {
    const line = createEngine();
    line.on('classic.PreToolUse', () => ({ updatedInput: { url: 'y' } }));
    const out = await line.tool({ tool: 'Fetch', input: { url: 'x', agentId: 'mine' } }, ({ input }) =>
      JSON.stringify(input),
    );
    expect(JSON.parse(out.text ?? '')).toEqual({ url: 'y', agentId: 'mine' });
  });

  test('are checked against the tool’s schema after the last of them', async () => {
    const made = madeFile();
    const errors: string[] = [];
    const line = createEngine();
    line.on('tool.call', (_$, e, next) => next({ ...e, command: 7 }));
    line.on('tool.error', (_$, e, next) => {
      errors.push(e.error);
      return next(e);
    });
    const inputSchema = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
    const out = await line.tool({ ...bash, inputSchema }, made.run);
    expect(out.isError).toBe(true);
    expect(out.text).toContain('input.command is integer, not string');
    expect(errors).toHaveLength(1);
    expect(made.ran).toBe(false);
  });

  test('of a known tool must fit it where the call did', async () => {
    const made = madeFile();
    const line = createEngine();
    line.on('tool.call', (_$, e, next) => next({ ...e, command: ['ls'] }));
    expect(await line.tool(bash, made.run)).toMatchObject({ isError: true, text: expect.stringContaining('command') });
    expect(made.ran).toBe(false);
    expect(
      (await line.tool({ tool: 'Bash', input: { cmd: 'a tool of that name from elsewhere' } }, () => 'ran')).text,
    ).toBe('ran');
  });

  test('arguments named like the call’s own fields are not shown flat, stand in tool.check’s input and reach the tool', async () => {
    const flat: unknown[] = [];
    const nested: unknown[] = [];
    const line = createEngine();
    line.on('tool.call', (_$, e, next) => {
      flat.push({ ...e });
      return next(e);
    });
    line.on('tool.check', (_$, e, next) => {
      nested.push(e.input);
      return next(e);
    });
    const input = { tool: 'mine', tool_use_id: 1, agentId: [2], url: 'x' };
    const out = await line.tool({ tool: 'Fetch', input, id: 'c1' }, (run) => JSON.stringify(run.input));
    expect(flat).toEqual([{ tool: 'Fetch', tool_use_id: 'c1', url: 'x' }]);
    expect(nested).toEqual([input]);
    expect(JSON.parse(out.text ?? '')).toEqual(input);
  });
});

describe('a person', () => {
  test.each([
    ['allows', personAllow(), true],
    ['denies', personDeny('not today'), false],
  ])('who is asked %s', async (_name, answer, ran) => {
    const made = madeFile();
    const line = createEngine({ gate: { fallback: () => defaultAsk(), ask: async () => answer } });
    const out = await line.tool(bash, made.run);
    expect(made.ran).toBe(ran);
    expect(out.deny).toBe(ran ? undefined : 'not today');
  });

  test('who cannot be asked is a no, with the host’s words', async () => {
    const made = madeFile();
    const line = createEngine({ gate: { fallback: () => defaultAsk(), unasked: () => 'pass --allow Bash' } });
    expect(await line.tool(bash, made.run)).toEqual({ deny: 'pass --allow Bash' });
    expect(made.ran).toBe(false);
  });

  test('whose question fails is a no', async () => {
    const made = madeFile();
    const line = createEngine({
      gate: { fallback: () => defaultAsk(), ask: () => Promise.reject(new Error('the terminal is gone')) },
    });
    expect((await line.tool(bash, made.run)).deny).toContain('the terminal is gone');
    expect(made.ran).toBe(false);
  });

  test('who interrupts while being asked gets no tool and an aborted outcome', async () => {
    const made = madeFile();
    const stop = new AbortController();
    const line = createEngine({
      gate: {
        fallback: () => defaultAsk(),
        ask: (_call, _verdict, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
            stop.abort(new Error('stop'));
          }),
      },
    });
    expect(await line.tool({ ...bash, signal: stop.signal }, made.run)).toMatchObject({ aborted: true });
    expect(made.ran).toBe(false);
  });

  test('who interrupts a running tool has it recorded as aborted', async () => {
    const recorder = rows();
    const stop = new AbortController();
    const line = createEngine({ recorder });
    const out = await line.tool({ ...bash, signal: stop.signal }, ({ signal }) => {
      stop.abort(new Error('stop'));
      signal.throwIfAborted();
      return 'ran';
    });
    expect(out).toMatchObject({ aborted: true, isError: true, text: 'stop' });
    expect(recorder.settled_.map((row) => row.status)).toEqual(['aborted']);
  });

  test('who answers an ask with an ask has not allowed it', async () => {
    const made = madeFile();
    const line = createEngine({ gate: { fallback: () => defaultAsk(), ask: async () => defaultAsk('hm') } });
    expect(await line.tool(bash, made.run)).toEqual({ deny: 'hm' });
    expect(made.ran).toBe(false);
  });

  test('who interrupted before the call gets no tool, and no decision to run one is recorded', async () => {
    const made = madeFile();
    const recorder = rows();
    const line = createEngine({ recorder });
    const out = await line.tool({ ...bash, signal: AbortSignal.abort(new Error('stop')) }, made.run);
    expect(out.aborted).toBe(true);
    expect(made.ran).toBe(false);
    expect(recorder.decided_).toEqual([]);
  });
});

describe('PermissionRequest', () => {
  const asking = () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return personDeny();
    };
    return { ask, count: () => asked };
  };

  test('answers the permission default in the person’s place', async () => {
    const { ask, count } = asking();
    const line = createEngine({ gate: { fallback: () => defaultAsk(), ask } });
    line.on('classic.PermissionRequest', () => ({ decision: { behavior: 'allow' } }));
    expect((await line.tool(bash, () => 'ran')).text).toBe('ran');
    expect(count()).toBe(0);
  });

  test('does not lift what a rule wants asked', async () => {
    const { ask, count } = asking();
    const made = madeFile();
    const line = createEngine({ gate: { rules: () => ruleAsk(), ask } });
    line.on('classic.PermissionRequest', () => ({ decision: { behavior: 'allow' } }));
    await line.tool(bash, made.run);
    expect([count(), made.ran]).toEqual([1, false]);
  });

  test('denies for the person', async () => {
    const { ask, count } = asking();
    const line = createEngine({ gate: { rules: () => ruleAsk(), ask } });
    line.on('classic.PermissionRequest', () => ({ decision: { behavior: 'deny', message: 'not today' } }));
    expect(await line.tool(bash, () => 'ran')).toEqual({ deny: 'not today' });
    expect(count()).toBe(0);
  });
});

describe('the record', () => {
  test('holds the decision before the tool runs and the outcome after', async () => {
    const made = madeFile();
    const recorder = rows();
    let ranWhenDecided: boolean | undefined;
    const line = createEngine({
      gate: { rules: () => ruleAllow() },
      recorder: {
        decided: async (row) => {
          await told();
          ranWhenDecided = made.ran;
          recorder.decided(row);
        },
        settled: recorder.settled,
      },
    });
    await line.tool({ ...bash, id: 'c1', agentId: 'a1', sessionId: 's1' }, made.run);
    expect(ranWhenDecided).toBe(false);
    expect(recorder.decided_).toMatchObject([
      {
        tool: 'Bash',
        toolUseId: 'c1',
        agentId: 'a1',
        session: 's1',
        decision: 'allow',
        input: { command: 'ls' },
        source: { kind: 'rule' },
      },
    ]);
    expect(recorder.settled_).toMatchObject([{ id: recorder.decided_[0]?.id, status: 'done', isError: false }]);
  });

  test('that cannot be written keeps the tool from running, and no hook can change that', async () => {
    const made = madeFile();
    const line = createEngine({
      recorder: { decided: () => Promise.reject(new Error('disk full')), settled: () => {} },
    });
    line.on('tool.call', async (_$, e, next) => {
      await next(e);
      return { result: 'all is well' };
    });
    const out = await line.tool(bash, made.run);
    expect(out.deny).toContain('disk full');
    expect(made.ran).toBe(false);
  });

  test.each([new AbortTurn('guard', 'stop here'), new HardAbort('guard', 'stop here')])(
    'of a tool that aborts the turn is settled as aborted, and %s rejects',
    async (control) => {
      const recorder = rows();
      const line = createEngine({ recorder });
      await expect(
        line.tool(bash, () => {
          throw control;
        }),
      ).rejects.toBe(control);
      expect(recorder.settled_.map((row) => row.status)).toEqual(['aborted']);
    },
  );

  test('names the owner that answered or denied in the tool’s place', async () => {
    const recorder = rows();
    const line = createEngine({ recorder });
    const cache = line.owner({ name: 'cache' });
    cache.on('tool.call', { tool: 'Read' }, () => ({ result: 'cached' }));
    cache.on('tool.call', { tool: 'Write' }, () => ({ deny: 'read only' }));
    const answered = await line.tool({ tool: 'Read', input: { file_path: 'a' } }, () => 'fresh');
    expect(answered).toMatchObject({ text: 'cached', answeredBy: 'cache' });
    await line.tool({ tool: 'Write', input: {} }, () => 'wrote');
    expect(recorder.decided_.map(({ decision, source }) => [decision, source.name])).toEqual([
      ['answered', 'cache'],
      ['deny', 'cache'],
    ]);
    expect(recorder.settled_).toEqual([]);
  });
});

describe('answered: check', () => {
  test('has an answer pass the rules first', async () => {
    const line = createEngine({ ...withRule(ruleDeny()), answered: 'check' });
    line.on('tool.call', () => ({ result: 'cached' }));
    expect(await line.tool(bash, () => 'ran')).toMatchObject({ deny: 'deny by rule' });
  });

  test('leaves answers for tools that the host does not have', async () => {
    const line = createEngine({ ...withRule(ruleDeny()), answered: 'check' });
    line.on('tool.call', () => ({ result: 'virtual' }));
    expect(await line.tool({ ...bash, isRegistered: false }, () => 'ran')).toMatchObject({ text: 'virtual' });
  });
});

describe('PostToolUse', () => {
  test('replaces what the model reads and adds context', async () => {
    const line = createEngine();
    line.on('classic.PostToolUse', () => ({ updatedToolOutput: 'masked', additionalContext: ['be brief'] }));
    line.on('classic.PreToolUse', () => ({ additionalContext: ['from before'] }));
    expect(await line.tool(bash, () => 'secret')).toMatchObject({
      text: 'masked',
      context: ['from before', 'be brief'],
    });
  });

  test('can end the turn', async () => {
    const line = createEngine();
    line.on('classic.PostToolUse', () => ({ preventContinuation: true, stopReason: 'enough' }));
    expect((await line.tool(bash, () => 'ran')).stop).toBe('enough');
  });
});

test('the caller’s data stays the caller’s', async () => {
  const line = createEngine();
  const input = { command: 'ls', list: [{ a: 1 }] };
  for (const hooked of [false, true]) {
    if (hooked) line.on('*', (_$, e, next) => next(e));
    await line.tool({ tool: 'Thing', input }, (run) => {
      expect(run.input).toEqual(input);
      return 'ran';
    });
    expect([input, input.list, input.list[0]].map((value) => Object.isFrozen(value))).toEqual([false, false, false]);
  }
});

test('PreToolUse hooks that change nothing see nothing said', async () => {
  const line = createEngine();
  const said: unknown[] = [];
  line.on('classic.PreToolUse', async (_$, e, next) => {
    const beneath = await next({ ...e });
    said.push(beneath);
    return beneath;
  });
  line.on('classic.PreToolUse', (_$, e, next) => next({ ...e, command: `${e['command']} -l` }));
  expect((await line.tool(bash, ({ input }) => input.command)).text).toBe('ls -l');
  await line.tool({ tool: 'Bash', input: { command: 'pwd' } }, () => 'ran');
  expect(said).toEqual([{ updatedInput: { command: 'ls -l' } }, { updatedInput: { command: 'pwd -l' } }]);
});

test('notices tell how a call went', async () => {
  const seen: Observed[] = [];
  const line = createEngine({ gate: { rules: ({ tool }) => (tool === 'Write' ? ruleDeny() : undefined) } });
  line.observe((one) => void seen.push(one), { pattern: 'tool.*' });
  await line.tool(bash, () => 'ran');
  await line.tool({ tool: 'Write', input: {} }, () => 'wrote');
  await told();
  expect(noticesOf(seen)).toEqual(['tool.started', 'tool.ended', 'tool.skipped']);
});

test('a tool that answers with something strange is shown as its JSON', async () => {
  const line = createEngine();
  expect(await line.tool(bash, (() => 42) as never)).toMatchObject({ result: 42, text: '42' });
  expect(await line.tool(bash, () => ({ result: { a: 1 } }))).toMatchObject({ text: '{"a":1}' });
});
