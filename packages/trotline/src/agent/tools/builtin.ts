import { createBash } from './bash.ts';
import { createGlob } from './glob.ts';
import { createGrep } from './grep.ts';
import { createRead } from './read.ts';
import type { Tool } from './types.ts';
import { createEdit, createWrite } from './write.ts';

/** The agent's own tools, fresh: Bash, Read, Write, Edit, Glob, Grep. */
export function builtinTools(): readonly Tool[] {
  return [createBash(), createRead(), createWrite(), createEdit(), createGlob(), createGrep()];
}
