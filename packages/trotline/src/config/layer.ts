import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { combine, emptyContent, type LayerContent, type ReadContext } from './content.ts';
import { toDocument } from './document.ts';
import { readHooks } from './hooks.ts';
import { checkPath, realOf } from './paths.ts';
import { isPicoclaw, setRestAside } from './picoclaw.ts';
import { reporter } from './problem.ts';
import { readRules } from './rules.ts';
import { type ConfigFile, configSchema, picoclawSchema } from './schema.ts';
import { readSettings } from './settings.ts';
import { readSource } from './source.ts';
import { parseSyntax } from './syntax.ts';
import type { LayerName, Problem } from './types.ts';
import { validate } from './validate.ts';

/** More files than this in one layer is a mistake or an attack. */
const MAX_FILES = 64;

/** What one layer says, with the digests of the bytes it was read from. */
export interface LayerRead {
  readonly name: LayerName;
  readonly file: string;
  readonly root: string;
  readonly kind: 'trotline' | 'picoclaw';
  readonly content: LayerContent;
  readonly files: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
}

export interface LayerOptions {
  readonly cwd: string;
  readonly strict: boolean;
  readonly problems: Problem[];
}

/** Reads one configuration file and everything it extends. A layer that cannot be read says nothing, and the problems say why. */
export async function readLayer(name: LayerName, file: string, options: LayerOptions): Promise<LayerRead> {
  const root = realOf(dirname(file));
  const seen = new Set<string>();
  const files: string[] = [];
  const hashes: Record<string, string> = {};
  let kind: LayerRead['kind'] = 'trotline';

  async function read(path: string, open: readonly string[]): Promise<LayerContent> {
    const report = reporter(options.problems, name);
    files.push(path);
    const source = await readSource(path, report);
    if (source === undefined) return emptyContent;
    hashes[path] = createHash('sha256').update(source.bytes).digest('hex');
    const tree = parseSyntax(source, report);
    if (tree === undefined) return emptyContent;
    const document = toDocument(source, tree, report);
    const picoclaw = isPicoclaw(document.root);
    if (picoclaw) setRestAside(document, report);
    if (picoclaw && path === file) kind = 'picoclaw';
    const lax = picoclaw && !options.strict;
    const config: ConfigFile | undefined = validate(document, picoclaw ? picoclawSchema : configSchema, report, {
      lax,
    });
    if (config === undefined) return emptyContent;
    const context: ReadContext = {
      document,
      report,
      layer: name,
      cwd: options.cwd,
      folder: dirname(path),
      lax,
      ...(name === 'project' ? { root } : {}),
    };
    const own: LayerContent = {
      ...emptyContent,
      ...readHooks(context, config.hooks),
      rules: readRules(context, config.policy),
      ...readSettings(context, config),
    };
    return combine(await readBases(context, config, [...open, realOf(path)]), own);
  }

  async function readBases(context: ReadContext, config: ConfigFile, open: readonly string[]): Promise<LayerContent> {
    let content = emptyContent;
    for (const { path, place } of basesOf(context, config)) {
      const real = realOf(path);
      if (open.includes(real)) {
        context.report.error('config.extends-circular', place, {
          what: 'The files extend each other in a circle',
          expected: `a file that does not lead back: ${[...open.slice(open.indexOf(real)), real].join(' extends ')}`,
        });
      } else if (!seen.has(real)) {
        seen.add(real);
        if (seen.size > MAX_FILES) {
          context.report.error('config.too-large', place, { what: `More than ${MAX_FILES} files extend each other` });
          return content;
        }
        const check = { kind: 'file', enabled: true, noun: 'The file to extend' } as const;
        const before = options.problems.length;
        const usable = checkPath(context, path, place, check);
        if (usable && options.problems.length === before) content = combine(content, await read(path, open));
      }
    }
    return content;
  }

  const content = await read(file, []);
  return { name, file, root, kind, content, files, hashes };
}

function basesOf(context: ReadContext, config: ConfigFile) {
  const { document, folder } = context;
  const bases = config.extends;
  if (bases === undefined) return [];
  if (typeof bases === 'string') return [{ path: resolve(folder, bases), place: document.place(config, 'extends') }];
  return bases.map((base, index) => ({ path: resolve(folder, base), place: document.place(bases, index) }));
}
