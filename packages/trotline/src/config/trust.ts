import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { CONFIG_NAME, findProject, homeFolder } from './find.ts';
import { readLayer } from './layer.ts';
import { isInside, realOf } from './paths.ts';
import { trustInputs } from './trustInputs.ts';
import { changeTrusted, readTrusted, type TrustedProjects } from './trustStore.ts';
import type { ConfigLayer, ModuleInputs, TrustState } from './types.ts';

/** Where trust is kept, and what a path given to it is relative to. */
export interface TrustOptions {
  /** The state folder. */
  readonly home?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Finds the files a module brings in; the default follows relative imports. */
  readonly moduleInputs?: ModuleInputs;
}

/** One line of `trotline trust --list`. */
export interface TrustedProject {
  readonly file: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** The files it covers. */
  readonly files: readonly string[];
}

/** The name under which a project is trusted: a copy or another way to the same folder is told apart by where it really is. */
const keyOf = (file: string): string => join(realOf(dirname(file)), basename(file));

/** Compares the files of a layer with what was trusted. */
export function compareTrust(
  file: string,
  inputs: Readonly<Record<string, string>>,
  projects: TrustedProjects,
): { readonly state: TrustState; readonly changed: readonly string[] } {
  const key = keyOf(file);
  const entry = Object.hasOwn(projects, key) ? projects[key] : undefined;
  const paths = Object.keys(inputs);
  if (entry === undefined || paths.length === 0) return { state: 'untrusted', changed: [] };
  const changed = paths.filter((path) => !Object.hasOwn(entry.files, path) || entry.files[path] !== inputs[path]);
  return { state: changed.length === 0 ? 'trusted' : 'changed', changed };
}

/**
 * Whether the person trusted a layer as it was loaded.
 * @throws `trust.store-damaged`.
 */
export async function trustState(layer: ConfigLayer, options: TrustOptions = {}): Promise<TrustState> {
  if (layer.name !== 'project') return 'not-needed';
  return compareTrust(layer.file, layer.inputs, await readTrusted(homeFolder(options.home, options.env))).state;
}

/**
 * Trusts a project as it is: a loaded layer exactly as it was loaded and shown, or the file or folder at a path as it is now.
 * Returns the configuration file.
 * @throws `trust.nothing-to-trust`, `trust.too-many-inputs`, `trust.store-damaged`, `trust.store-unwritable`.
 */
export async function trust(target: string | ConfigLayer, options: TrustOptions = {}): Promise<string> {
  const home = homeFolder(options.home, options.env);
  const file = typeof target === 'string' ? projectFile(target, home, options.cwd) : target.file;
  const inputs = typeof target === 'string' ? await readInputs(file, options) : target.inputs;
  if (Object.keys(inputs).length === 0)
    throw new TrotlineError('trust.too-many-inputs', { file, what: 'The project cannot be trusted as a whole' });
  const key = keyOf(file);
  await changeTrusted(home, (projects) => {
    const old = Object.hasOwn(projects, key) ? projects[key] : undefined;
    // From another folder of the project, commands may name other files. They join the others while the configuration is the same.
    const same = old !== undefined && old.files[file] === inputs[file];
    projects[key] = { trusted_at: new Date().toISOString(), files: { ...(same ? old.files : {}), ...inputs } };
  });
  return file;
}

/**
 * Takes trust back. Says whether there was any.
 * @throws `trust.store-damaged`, `trust.store-unwritable`.
 */
export async function untrust(path: string, options: TrustOptions = {}): Promise<boolean> {
  const home = homeFolder(options.home, options.env);
  const full = resolve(options.cwd ?? process.cwd(), path);
  // The project may be gone by now, so that the path is only compared, not looked at.
  const keys = [keyOf(full), keyOf(join(full, CONFIG_NAME))];
  return changeTrusted(home, (projects) => {
    const found = keys.filter((key) => Object.hasOwn(projects, key));
    for (const key of found) delete projects[key];
    return found.length > 0;
  });
}

/**
 * Every trusted project, by path.
 * @throws `trust.store-damaged`.
 */
export async function listTrusted(options: TrustOptions = {}): Promise<readonly TrustedProject[]> {
  const projects = await readTrusted(homeFolder(options.home, options.env));
  return Object.entries(projects)
    .map(([file, entry]) => ({ file, trustedAt: entry.trusted_at, files: Object.keys(entry.files).sort() }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

function projectFile(path: string, home: string, cwd: string = process.cwd()): string {
  const full = resolve(cwd, path);
  const kind = statSync(full, { throwIfNoEntry: false });
  const file = kind?.isDirectory() === true ? findProject(full, join(home, CONFIG_NAME)).found : full;
  if (kind === undefined || file === undefined)
    throw new TrotlineError('trust.nothing-to-trust', { file: full, what: 'There is no project configuration here' });
  return file;
}

/**
 * The files that run when trotline is started in the project's own folder, and those that run where it is started now, if that is inside:
 * relative words of commands name files by the working directory.
 */
async function readInputs(file: string, options: TrustOptions): Promise<Readonly<Record<string, string>>> {
  const root = realOf(dirname(file));
  const here = resolve(options.cwd ?? process.cwd());
  const folders = isInside(root, realOf(here)) ? [root, here] : [root];
  const all: Record<string, string> = {};
  for (const cwd of folders) {
    const layer = await readLayer('project', file, { cwd, strict: false, problems: [] });
    const inputs = await trustInputs(layer, options.moduleInputs);
    if (inputs === undefined) return {};
    Object.assign(all, inputs);
  }
  return all;
}
