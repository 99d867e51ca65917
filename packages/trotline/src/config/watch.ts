import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { loadConfig } from './load.ts';
import type { LoadedConfig } from './types.ts';

const SETTLE_MS = 150;
const POLL_MS = 2000;

export interface ConfigWatch {
  /** Stops watching. A load under way is not reported any more. */
  close(): void;
}

/**
 * Loads the configuration again whenever a file of it changes, appears or goes, once it has been quiet for a moment, and hands over what
 * it says now. Whether to take it is the caller's: one with errors is handed over as well. Does not keep the process alive.
 */
export function watchConfig(loaded: LoadedConfig, onChange: (next: LoadedConfig) => void): ConfigWatch {
  let current = loaded;
  let seen = snapshot(current.watched);
  let watchers: FSWatcher[] = [];
  let closed = false;
  let busy = false;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
    for (const [folder, names] of foldersOf(current.watched)) {
      try {
        // A folder and not the file: editors save by renaming a new file into place, after which the old one is no longer there to watch.
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          if (name === null || names.has(name)) soon();
        });
        watcher.on('error', soon);
        watchers.push(watcher);
      } catch {
        // No more watches to be had, or a folder that went away meanwhile: the poll below still sees the change.
      }
    }
  }

  function soon(): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), SETTLE_MS);
    timer.unref();
  }

  async function look(): Promise<void> {
    const now = snapshot(current.watched);
    if (closed || busy || now === seen) return;
    busy = true;
    try {
      const next = await loadConfig(current.options);
      if (closed) return;
      // What changed while it was being read may not be in it.
      const stale = snapshot(current.watched) !== now;
      current = next;
      seen = stale ? '' : snapshot(next.watched);
      arm();
      if (stale) soon();
      onChange(next);
    } finally {
      busy = false;
    }
  }

  arm();
  const poll = setInterval(() => void look(), POLL_MS);
  poll.unref();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of watchers) watcher.close();
      watchers = [];
    },
  };
}

/** Folders to watch, with the names in them that matter. Of a path whose folder does not exist yet, the nearest one that does. */
function foldersOf(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    let below = path;
    while (!isFolder(dirname(below)) && dirname(below) !== below) below = dirname(below);
    const folder = dirname(below);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(basename(below)));
  }
  return folders;
}

/** Differs as soon as one of the files does. */
function snapshot(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statOf(path);
      return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
    })
    .join('\n');
}

function statOf(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;
