import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { listTrusted, trust as trustLayer, untrust } from '../../config/index.ts';
import type { Context } from '../command.ts';
import { errorJson } from '../errors.ts';
import { exit } from '../exit.ts';
import { clean } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { isYes, terminalPrompt } from '../terminal/lines.ts';
import { table } from '../terminal/table.ts';
import { offerText } from '../trust/offer.ts';
import { brokenModules, type Project, projectOf } from '../trust/project.ts';

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
  const project = await projectAt(io, target);
  const { layer } = project;
  const files = Object.keys(layer.inputs);
  if (project.state === 'trusted') {
    io.out(
      json ? `${JSON.stringify({ trusted: layer.file, files })}\n` : `${clean(layer.file)} is trusted as it is.\n`,
    );
    return exit.done;
  }
  const broken = await brokenModules(layer);
  if (!json)
    (options.yes === true ? io.out : io.err)(
      offerText(project, broken, options.yes === true ? io.outColors : io.errColors),
    );
  if (options.yes !== true && !(await agreed(io))) {
    io.err('Nothing was trusted.\n');
    return exit.failed;
  }
  const file = await trustLayer(layer, { env: io.env });
  if (json) {
    const problems = broken.map(errorJson);
    io.out(`${JSON.stringify({ trusted: file, files, ...(problems.length > 0 && { problems }) })}\n`);
  } else {
    io.out(`Trusted as it is now: ${clean(file)}${moreFiles(files.length - 1)}.\n`);
    if (broken.length > 0)
      io.err(`${io.errColors.yellow('!')} What does not compile will not run: mend it, then trust it again.\n`);
  }
  return exit.done;
}

const moreFiles = (more: number): string =>
  more <= 0 ? '' : more === 1 ? ' and the file it names' : ` and the ${more} files it names`;

async function list({ io, json }: Context): Promise<number> {
  const projects = await listTrusted({ env: io.env });
  if (json) io.out(`${JSON.stringify({ trusted: projects })}\n`);
  else if (projects.length === 0) io.out('No project is trusted.\n');
  else
    io.out(
      table(
        projects.map(({ file, trustedAt, files }) => [
          clean(file),
          files.length === 1 ? '1 file' : `${files.length} files`,
          io.outColors.dim(trustedAt),
        ]),
      ),
    );
  return exit.done;
}

async function projectAt(io: Io, target: string): Promise<Project> {
  const kind = statSync(target, { throwIfNoEntry: false });
  const project = await projectOf(io.env, kind?.isDirectory() === true ? target : dirname(target));
  if (kind === undefined || project === undefined) {
    throw new TrotlineError('trust.nothing-to-trust', { file: target, what: 'there is no project configuration here' });
  }
  return project;
}

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
