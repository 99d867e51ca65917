import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import {
  type ConfigLayer,
  listTrusted,
  loadConfig,
  type MergedHook,
  ruleText,
  trust as trustLayer,
  untrust,
} from '../../config/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { clean, oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { isYes, terminalPrompt } from '../terminal/lines.ts';
import { table } from '../terminal/table.ts';

interface Options {
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly yes?: boolean;
}

/** `trotline trust [path]` */
export async function trust(context: Context, [path = '.']: readonly string[], options: Options): Promise<number> {
  const { io, json } = context;
  if (options.list === true) return list(context);
  const target = resolve(io.cwd, path);
  if (options.revoke === true) {
    const revoked = await untrust(target, { env: io.env, cwd: io.cwd });
    io.out(
      json
        ? `${JSON.stringify({ revoked })}\n`
        : revoked
          ? 'The project is not trusted any more.\n'
          : 'It was not trusted.\n',
    );
    return exit.done;
  }
  const layer = await projectLayer(io, target);
  if (layer.trust === 'trusted') {
    io.out(
      json
        ? `${JSON.stringify({ trusted: layer.file, files: Object.keys(layer.inputs) })}\n`
        : `${clean(layer.file)} is trusted as it is.\n`,
    );
    return exit.done;
  }
  if (!json) io.err(layerText(layer, io.errColors));
  if (options.yes !== true && !(await agreed(io))) {
    io.err('Nothing was trusted.\n');
    return exit.failed;
  }
  const file = await trustLayer(layer, { env: io.env });
  const files = Object.keys(layer.inputs);
  io.out(
    json
      ? `${JSON.stringify({ trusted: file, files })}\n`
      : `Trusted ${clean(file)} and ${files.length - 1} more files, as they are now.\n`,
  );
  return exit.done;
}

async function list({ io, json }: Context): Promise<number> {
  const projects = await listTrusted({ env: io.env });
  if (json) io.out(`${JSON.stringify({ trusted: projects })}\n`);
  else if (projects.length === 0) io.out('No project is trusted.\n');
  else
    io.out(
      table(
        projects.map(({ file, trustedAt, files }) => [
          clean(file),
          `${files.length} files`,
          io.outColors.dim(trustedAt),
        ]),
      ),
    );
  return exit.done;
}

async function projectLayer(io: Io, target: string): Promise<ConfigLayer> {
  const kind = statSync(target, { throwIfNoEntry: false });
  const folder = kind?.isDirectory() === true ? target : dirname(target);
  const { layers } = await loadConfig({ cwd: folder, env: io.env });
  const layer = layers.find(({ name }) => name === 'project');
  if (kind === undefined || layer === undefined) {
    throw new TrotlineError('trust.nothing-to-trust', { file: target, what: 'there is no project configuration here' });
  }
  return layer;
}

/** What would run, so that the person knows what the trust is for. */
function layerText(layer: ConfigLayer, c: Io['errColors']): string {
  const parts = [
    `${c.bold(clean(layer.file))} ${layer.trust === 'changed' ? c.yellow('changed since it was trusted') : 'was never trusted'}\n`,
  ];
  if (layer.changed.length > 0) parts.push(`Changed:\n${layer.changed.map((file) => `  ${clean(file)}\n`).join('')}`);
  const hooks = layer.hooks.map((hook) => [clean(hook.name), c.dim(hook.kind), oneLine(whatRuns(hook), 120)]);
  if (hooks.length > 0) parts.push(`It would run, with your rights:\n${table(hooks, '  ')}`);
  const servers = layer.mcpServers.map(({ name, command }) => [clean(name), oneLine(command.join(' '), 120)]);
  if (servers.length > 0) parts.push(`It would start these MCP servers, with your rights:\n${table(servers, '  ')}`);
  const rules = layer.rules.map((rule) => [rule.decision, oneLine(ruleText(rule), 100)]);
  if (rules.length > 0) parts.push(`Its rules:\n${table(rules, '  ')}`);
  const files = Object.keys(layer.inputs);
  parts.push(`The trust covers these files as they are now:\n${files.map((file) => `  ${clean(file)}\n`).join('')}`);
  return parts.join('');
}

const whatRuns = (hook: MergedHook): string =>
  hook.kind === 'process' ? hook.command.join(' ') : (hook.module ?? 'a builtin of the program');

async function agreed(io: Io): Promise<boolean> {
  if (!io.interactive) {
    throw new TrotlineError('cli.usage', {
      what: 'trust needs a person’s yes, and there is no terminal to ask on',
      remedy: 'Read the files, then run: trotline trust --yes',
    });
  }
  const answer = await terminalPrompt(io)('Trust it? [y/N] ', new AbortController().signal);
  return isYes(answer);
}
