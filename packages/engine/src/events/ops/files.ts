import { t } from '../shape.ts';
import { defineOp, given } from './define.ts';

const entry = t.object({
  name: t.string,
  kind: t.oneOf('file', 'dir', 'other'),
  size: t.number,
  mtimeMs: t.number,
  isLink: t.boolean,
});
const stat = t.object({
  kind: t.oneOf('file', 'dir', 'other'),
  size: t.number,
  mtimeMs: t.number,
  isLink: t.boolean,
  realPath: t.optional(t.string),
});

/** The address of a value of `$.state`. */
export interface StateRef {
  readonly plugin: string;
  readonly key: string;
  readonly id?: string;
}
const ref = { plugin: t.string, key: t.string, id: t.optional(t.string) };

/** Ops on files, stored values, settings and the environment. */
export const fileOps = {
  'fs.read': defineOp({
    name: 'fs.read',
    doc: 'Reads a file of 4 MiB at most.',
    fields: { path: t.string, as: t.oneOf('text', 'bytes') },
    args: (path: string, options: { readonly as?: 'text' | 'bytes' } = {}) => ({ path, as: options.as ?? 'text' }),
    value: t.json,
    changes: false,
  }),
  'fs.write': defineOp({
    name: 'fs.write',
    doc: 'Writes a text of 4 MiB at most, and the folders it needs.',
    fields: { path: t.string, text: t.string },
    args: (path: string, text: string) => ({ path, text }),
    value: t.json,
    changes: true,
  }),
  'fs.list': defineOp({
    name: 'fs.list',
    doc: 'Lists a folder, itself only.',
    fields: { path: t.string },
    args: (path: string = '.') => ({ path }),
    value: t.list(entry),
    changes: false,
  }),
  'fs.exists': defineOp({
    name: 'fs.exists',
    doc: 'Is there a file or a folder?',
    fields: { path: t.string },
    args: (path: string) => ({ path }),
    value: t.boolean,
    changes: false,
  }),
  'fs.stat': defineOp({
    name: 'fs.stat',
    doc: 'Kind, size and time of a file.',
    fields: { path: t.string, resolve: t.boolean },
    args: (path: string, options: { readonly resolve?: boolean } = {}) => ({ path, resolve: options.resolve ?? false }),
    value: stat,
    changes: false,
  }),
  'fs.ancestors': defineOp({
    name: 'fs.ancestors',
    doc: 'Files of some names in this folder and those above, with what they include.',
    fields: { names: t.list(t.string), of: t.optional(t.string), below: t.optional(t.string) },
    args: (query: { readonly names: readonly string[]; readonly of?: string; readonly below?: string }) =>
      given({ names: query.names, of: query.of, below: query.below }),
    value: t.list(t.json),
    changes: false,
  }),
  'store.get': defineOp({
    name: 'store.get',
    doc: 'A stored value of the caller’s own.',
    fields: { key: t.string },
    args: (key: string) => ({ key }),
    value: t.json,
    changes: false,
  }),
  'store.set': defineOp({
    name: 'store.set',
    doc: 'Stores a value; 4 MiB for each owner.',
    fields: { key: t.string, value: t.some },
    args: (key: string, value: unknown) => ({ key, value }),
    value: t.json,
    changes: true,
  }),
  'store.delete': defineOp({
    name: 'store.delete',
    doc: 'Removes a stored value.',
    fields: { key: t.string },
    args: (key: string) => ({ key }),
    value: t.json,
    changes: true,
  }),
  'store.keys': defineOp({
    name: 'store.keys',
    doc: 'The keys of the stored values.',
    fields: {},
    args: () => ({}),
    value: t.list(t.string),
    changes: false,
  }),
  'state.get': defineOp({
    name: 'state.get',
    doc: 'A value of this session and its version; any owner may read it.',
    fields: ref,
    pinned: ['plugin', 'key', 'id'],
    args: ({ plugin, key, id }: StateRef) => given({ plugin, key, id }),
    value: t.object({ value: t.json, version: t.number }),
    changes: false,
  }),
  'state.set': defineOp({
    name: 'state.set',
    doc: 'Sets a value of this session; its owner only. A stale `ifVersion` sets nothing.',
    fields: { ...ref, value: t.some, previous: t.optional(t.json), ifVersion: t.optional(t.number) },
    pinned: ['plugin', 'key', 'id', 'previous', 'ifVersion'],
    args: ({ plugin, key, id }: StateRef, value: unknown, options: { readonly ifVersion?: number } = {}) =>
      given({ plugin, key, id, value, ifVersion: options.ifVersion }),
    value: t.object({ isSet: t.boolean, version: t.number }),
    changes: true,
  }),
  'settings.read': defineOp({
    name: 'settings.read',
    doc: 'The settings, merged, or those of one source.',
    fields: { source: t.optional(t.oneOf('user', 'project', 'local', 'flag', 'policy')) },
    args: (options: { readonly source?: 'user' | 'project' | 'local' | 'flag' | 'policy' } = {}) =>
      given({ source: options.source }),
    value: t.data,
    changes: false,
  }),
  'env.get': defineOp({
    name: 'env.get',
    doc: 'A variable of the session’s environment.',
    fields: { name: t.string },
    pinned: ['name'],
    args: (name: string) => ({ name }),
    value: t.union(t.string, t.nothing),
    changes: false,
  }),
  'env.set': defineOp({
    name: 'env.set',
    doc: 'Sets a variable of the session’s environment; undefined removes it.',
    fields: { name: t.string, value: t.optional(t.string) },
    pinned: ['name'],
    args: (name: string, value: string | undefined) => given({ name, value }),
    value: t.json,
    changes: true,
  }),
} as const;
