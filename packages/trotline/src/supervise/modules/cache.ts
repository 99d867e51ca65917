import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular, readSource, sha256 } from './files.ts';
import { digestOf } from './resolve.ts';
import type { Bundle, ModuleNote } from './types.ts';

const HEAD = 'trotline-module ';
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 256;

export interface Cache {
  /** The bundle of a key, when it is whole, ours, and all that went into it is unchanged. */
  read(key: string): Promise<Bundle | undefined>;
  write(key: string, bundle: Bundle): Promise<void>;
}

/**
 * Compiled modules on disk. They are run without being compiled again, so the folder must be ours alone: anything that another
 * user owns or may write to is not used. A file names its own digest; what is cut short or changed is not used either.
 *
 * @param uid Whose files are trusted. Where the system has no users, nobody's are questioned.
 */
export async function openCache(
  cacheDir: string,
  note: (note: ModuleNote) => void,
  uid: number | undefined = process.getuid?.(),
): Promise<Cache | undefined> {
  const refuse = (why: string): undefined => {
    note({ code: 'modules.cache-refused', text: `${cacheDir}: ${why}` });
    return undefined;
  };
  let folder: string;
  try {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    folder = join(await realpath(cacheDir), 'modules');
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    const stats = await lstat(folder);
    if (!stats.isDirectory()) return refuse('its "modules" is not a folder');
    if (uid !== undefined && stats.uid !== uid) return refuse('another user owns it');
    if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
  } catch (error) {
    return refuse(`it cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
  const fileOf = (key: string): string => join(folder, `${key}.cjs`);

  return {
    async read(key) {
      const file = fileOf(key);
      const read = await readRegular(file, MAX_CACHED_BYTES).catch(() => undefined);
      if (read === undefined) return undefined;
      const foreign = uid !== undefined && read.stats.uid !== uid;
      if (foreign || (uid !== undefined && (read.stats.mode & 0o022) !== 0)) {
        return refuse(`${key}.cjs belongs to another user or may be written by one`);
      }
      const bundle = unpack(read.bytes);
      if (bundle === undefined) {
        note({ code: 'modules.cache-damaged', text: `${file} is damaged and was built again` });
        return undefined;
      }
      return (await isCurrent(bundle)) ? bundle : undefined;
    },
    async write(key, bundle) {
      const temporary = join(folder, `.${key}.${randomBytes(6).toString('hex')}`);
      try {
        await writeFile(temporary, pack(bundle), { mode: 0o600, flag: 'wx' });
        await rename(temporary, fileOf(key));
        await prune(folder);
      } catch (error) {
        await rm(temporary, { force: true });
        refuse(`nothing can be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
      }
    },
  };
}

function pack(bundle: Bundle): string {
  const body = JSON.stringify(bundle);
  return `${HEAD}${sha256(body)}\n${body}`;
}

function unpack(bytes: Buffer): Bundle | undefined {
  const end = bytes.indexOf(10);
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
  const body = bytes.subarray(end + 1);
  if (head !== HEAD + sha256(body)) return undefined;
  return JSON.parse(body.toString()) as Bundle;
}

/** Every file that was compiled in is the same, and every import would still find the same file. */
async function isCurrent(bundle: Bundle): Promise<boolean> {
  const unchanged = await Promise.all([
    ...bundle.inputs.map(
      async ({ path, sha256 }) => (await readSource(path).catch(() => undefined))?.sha256 === sha256,
    ),
    ...bundle.probes.map(async ({ path, sha256 }) => (await digestOf(path)) === sha256),
    ...bundle.externals.map(
      async ({ resolved }) => resolved === undefined || (await stat(resolved).catch(() => null)) !== null,
    ),
  ]);
  return unchanged.every(Boolean);
}

/** Modules that are gone leave their files behind. The oldest go once there are many. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MAX_FILES) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  aged.sort((a, b) => a.time - b.time);
  for (const { name } of aged.slice(0, names.length - MAX_FILES)) await rm(join(folder, name), { force: true });
}
