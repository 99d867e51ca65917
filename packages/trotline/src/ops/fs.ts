import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { OpBottom } from '@trotline/engine';
import { MAX_BYTES, text } from './limits.ts';

const kindOf = (s: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'dir' | 'other' =>
  s.isFile() ? 'file' : s.isDirectory() ? 'dir' : 'other';

/** Opens without waiting for a writer, so that a named pipe cannot hang the reader, and refuses what is no file. */
async function readBounded(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new Error(`${path} is not a file`);
    if (info.size > MAX_BYTES) throw new Error(`${path} has ${info.size} bytes; at most ${MAX_BYTES} are read`);
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    // Files of /proc say 0 bytes and have more: read to the end, within the bound.
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
      if (length > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
    }
  } finally {
    await handle.close();
  }
}

async function list(dir: string): Promise<unknown[]> {
  const names = (await readdir(dir)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const link = await lstat(path);
      const info = link.isSymbolicLink() ? await stat(path).catch(() => link) : link;
      return { name, kind: kindOf(info), size: info.size, mtimeMs: info.mtimeMs, isLink: link.isSymbolicLink() };
    }),
  );
}

/** Files of the person, with the person's rights. Relative paths start at `cwd`; 4 MiB a file. */
export function fsOps(cwd: string): Readonly<Record<string, OpBottom>> {
  const at = (e: Readonly<Record<string, unknown>>): string => resolve(cwd, text(e, 'path'));
  // Hooks on `fs.*` judge paths, so they see where a path leads, not how it was written.
  const prepare = (e: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    typeof e['path'] === 'string' ? { ...e, path: resolve(cwd, e['path']) } : e;
  const bottoms: Readonly<Record<string, OpBottom>> = {
    'fs.read': async (e) => {
      const bytes = await readBounded(at(e));
      return e['as'] === 'bytes' ? { base64: bytes.toString('base64') } : bytes.toString('utf8');
    },
    'fs.write': async (e) => {
      const content = text(e, 'text');
      if (Buffer.byteLength(content) > MAX_BYTES) throw new Error(`the text has more than ${MAX_BYTES} bytes`);
      const path = at(e);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    },
    'fs.list': (e) => list(e['path'] === undefined ? cwd : at(e)),
    'fs.exists': (e) =>
      stat(at(e)).then(
        () => true,
        () => false,
      ),
    'fs.stat': async (e) => {
      const path = at(e);
      const link = await lstat(path);
      const info = await stat(path);
      return {
        kind: kindOf(info),
        size: info.size,
        mtimeMs: info.mtimeMs,
        isLink: link.isSymbolicLink(),
        ...(e['resolve'] === true ? { realPath: await realpath(path) } : {}),
      };
    },
    'fs.ancestors': async (e) => {
      const names = Array.isArray(e['names']) ? e['names'].filter((n): n is string => typeof n === 'string') : [];
      const below = typeof e['below'] === 'string' ? resolve(cwd, e['below']) : undefined;
      const found: unknown[] = [];
      for (let dir = resolve(cwd, typeof e['of'] === 'string' ? dirname(e['of']) : '.'); ; dir = dirname(dir)) {
        for (const name of names) {
          if (name.includes('/') || name.includes('\\')) throw new Error(`${name} is a path, not a name`);
          const content = await readBounded(join(dir, name)).catch(() => undefined);
          if (content !== undefined) {
            const body = content.toString('utf8');
            found.push({ dir, name, content: body, parts: [{ path: join(dir, name), content: body }] });
          }
        }
        if (dir === dirname(dir) || dir === below) return found;
      }
    },
  };
  for (const bottom of Object.values(bottoms)) Object.assign(bottom, { prepare });
  return bottoms;
}
