import { statSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../../config/index.ts';
import type { Line } from '../../host/index.ts';
import { openRecords } from '../../records/index.ts';
import type { Context } from '../command.ts';
import type { Finding } from '../doctor/finding.ts';
import { pythonFinding } from '../doctor/python.ts';
import { exit } from '../exit.ts';
import { type ChosenModel, chooseModel, modelOf } from '../model.ts';
import { openToLook, type WhereOptions } from '../open.ts';
import { oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';

interface Options extends WhereOptions {
  readonly model?: string;
  readonly online?: boolean;
}

const keyNames = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'];
const onlineMs = 30_000;

/** `trotline doctor` */
export async function doctor({ io, json, version }: Context, _: readonly string[], options: Options): Promise<number> {
  const findings: Finding[] = [{ check: 'trotline', state: 'ok', what: version }, nodeFinding(process.versions.node)];
  findings.push(homeFinding(io), await databaseFinding(io));
  const { found, model, python } = await lookAtLine(io, options);
  findings.push(...found, keyFinding(io, model), modelFinding(model), ...(python ? pythonFinding(io.env) : []));
  if (options.online === true) findings.push(model === undefined ? nothingTried : await onlineFinding(model));
  const sick = findings.some(({ state }) => state === 'error');
  io.out(
    json
      ? `${JSON.stringify({ ok: !sick, findings })}\n`
      : findings.map((finding) => findingText(finding, io.outColors)).join(''),
  );
  return sick ? exit.misuse : exit.done;
}

function findingText({ check, state, what, remedy }: Finding, c: Io['outColors']): string {
  const mark = state === 'ok' ? c.green('✔') : state === 'warning' ? c.yellow('!') : c.red('✖');
  const next = remedy === undefined || remedy === '' ? '' : `    ${oneLine(remedy, 400)}\n`;
  return `${mark} ${c.bold(check)}  ${oneLine(what, 600)}\n${next}`;
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  return fits
    ? { check: 'node', state: 'ok', what: version }
    : { check: 'node', state: 'error', what: `${version} is too old`, remedy: 'Install Node 20.19 or newer.' };
}

function homeFinding({ env }: Io): Finding {
  const home = homeFolder(undefined, env);
  const stat = statSync(home, { throwIfNoEntry: false });
  if (stat === undefined)
    return { check: 'home', state: 'ok', what: `${home} does not exist yet; it is made when needed` };
  if (!stat.isDirectory())
    return { check: 'home', state: 'error', what: `${home} is no folder`, remedy: 'Move the file away.' };
  if (process.platform !== 'win32' && (stat.mode & 0o022) !== 0) {
    return {
      check: 'home',
      state: 'error',
      what: `others may write to ${home} (mode ${(stat.mode & 0o777).toString(8)}), so they can change your hooks and trust`,
      remedy: `chmod go-w ${home}`,
    };
  }
  return { check: 'home', state: 'ok', what: home };
}

async function databaseFinding(io: Io): Promise<Finding> {
  const dir = join(homeFolder(undefined, io.env), 'state');
  try {
    const records = await openRecords({ dir, env: io.env });
    await records.sessions.list({ limit: 1 });
    await records.close();
    return { check: 'records', state: 'ok', what: records.file };
  } catch (error) {
    return { check: 'records', state: 'error', what: messageOf(error) };
  }
}

const nothingTried: Finding = {
  check: 'online',
  state: 'warning',
  what: 'nothing was tried: there is no model to ask',
};

interface LineFindings {
  readonly found: Finding[];
  readonly model: ChosenModel | undefined;
  /** Whether a hook is started by the name of the interpreter, so that it matters where that leads. */
  readonly python: boolean;
}

/** What stands on the line, and the model that would be asked. */
async function lookAtLine(io: Io, options: Options): Promise<LineFindings> {
  let line: Line;
  try {
    line = await openToLook(io, options, { show: () => {} });
  } catch (error) {
    return {
      found: [{ check: 'hooks', state: 'error', what: messageOf(error) }],
      model: chooseModel(io, options.model, undefined),
      python: false,
    };
  }
  try {
    const { owners, problems } = line;
    const ready = owners.filter(({ state }) => state === 'ready').map(({ name }) => name);
    const found: Finding[] = [
      { check: 'hooks', state: 'ok', what: ready.length === 0 ? 'none' : `${ready.length} ready: ${ready.join(', ')}` },
    ];
    const failed = owners.filter(({ state }) => state === 'failed').map(({ name }) => name);
    if (failed.length > 0)
      found.push({ check: 'hooks', state: 'error', what: `could not start: ${failed.join(', ')}` });
    for (const { severity, message, code, remedy } of problems) {
      if (severity === 'notice') continue;
      found.push({
        check: 'configuration',
        state: severity,
        what: `${message} [${code}]`,
        ...(remedy === undefined ? {} : { remedy }),
      });
    }
    const untrusted = owners.filter(({ state }) => state === 'untrusted').map(({ name }) => name);
    if (untrusted.length > 0) {
      const what = `the project is not trusted; these do not run: ${untrusted.join(', ')}`;
      found.push({ check: 'trust', state: 'warning', what, remedy: 'Read the files, then run: trotline trust' });
    }
    const python = line.config.hooks.some((hook) => hook.kind === 'process' && hook.command[0] === 'python3');
    return { found, model: chooseModel(io, options.model, line.config.model), python };
  } finally {
    await line.close();
  }
}

/** Which keys there are: their names, never their values. */
function keyFinding({ env }: Io, model: ChosenModel | undefined): Finding {
  const own = model?.options.apiKeyEnv;
  const names = own === undefined || keyNames.includes(own) ? keyNames : [own, ...keyNames];
  const present = names.filter((name) => (env[name] ?? '') !== '');
  return present.length > 0
    ? { check: 'keys', state: 'ok', what: present.join(', ') }
    : {
        check: 'keys',
        state: 'warning',
        what: `none of ${names.join(', ')} is set`,
        remedy: 'Without a key: trotline demo, or --model script:FILE.',
      };
}

/** Whether the model has what it needs here; nothing is sent. */
function modelFinding(model: ChosenModel | undefined): Finding {
  if (model === undefined) {
    const remedy = 'Set "model" in trotline.json, or name one with --model.';
    return { check: 'model', state: 'warning', what: 'none is configured', remedy };
  }
  try {
    modelOf(model);
    return { check: 'model', state: 'ok', what: model.name };
  } catch (error) {
    return { check: 'model', state: 'error', what: messageOf(error) };
  }
}

async function onlineFinding(model: ChosenModel): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(onlineMs);
    const request = {
      model: model.name,
      messages: [{ role: 'user' as const, content: 'Say: yes' }],
      tools: [],
      options: { max_tokens: 16 },
    };
    const answer = modelOf(model).stream(request, { signal });
    let step = await answer.next();
    while (step.done !== true) step = await answer.next();
    return { check: 'online', state: 'ok', what: `${model.name} answered` };
  } catch (error) {
    return { check: 'online', state: 'error', what: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
