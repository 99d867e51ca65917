import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../cli/harness.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Line of its first line of text, from 1. */
  readonly line: number;
  readonly lang: string;
  /** The file it is: `ts hooks/guard.ts`. */
  readonly file?: string;
  /** It is executed: `sh run`, `ts run`. */
  readonly run: boolean;
  /** The exit status it ends with: `sh run exit=2`. */
  readonly exit: number;
  /** A configuration that must have errors: `json trotline.json faulty`. */
  readonly faulty: boolean;
  /** Why nobody checks it: `ts no-check: shape only`. */
  readonly unchecked?: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The pages people read: the README and all of `docs`, but for what is generated. */
export function pages(): Page[] {
  const docs = join(root, 'docs');
  const files = readdirSync(docs).filter((name) => name.endsWith('.md'));
  return [join(root, 'README.md'), ...files.map((name) => join(docs, name))]
    .filter((file) => existsSync(file))
    .map((file) => readPage(relative(root, file), readFileSync(file, 'utf8')));
}

/** Takes a page apart. Throws for a fence that is never closed and for a word in its head that means nothing. */
export function readPage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.findIndex((line, i) => i > at && line.trimEnd() === fence[1]);
    if (end < 0) throw new Error(`${path}:${at + 1}: this block is never closed`);
    const place = { page: path, line: at + 2 };
    blocks.push({
      ...place,
      ...readHead(`${path}:${at + 1}`, fence[2] ?? ''),
      text: lines.slice(at + 1, end).join('\n'),
    });
    at = end;
  }
  return { path, text, blocks };
}

function readHead(place: string, head: string): Omit<Block, 'page' | 'line' | 'text'> {
  const reason = /\bno-check: *(.+)$/.exec(head);
  const [lang = '', ...words] = head.slice(0, reason?.index).trim().split(/\s+/);
  let file: string | undefined;
  let [run, faulty, exit] = [false, false, 0];
  for (const word of words) {
    if (word === 'run') run = true;
    else if (word === 'faulty') faulty = true;
    else if (/^exit=\d+$/.test(word)) exit = Number(word.slice(5));
    else if (/[./]/.test(word)) file = word;
    else throw new Error(`${place}: "${word}" means nothing in the head of a block`);
  }
  return {
    lang,
    run,
    exit,
    faulty,
    ...(file === undefined ? {} : { file }),
    ...(reason === null ? {} : { unchecked: (reason[1] ?? '').trim() }),
  };
}

/** What a block is expected to print: the `text` block right after it. */
export function expectedOf(page: Page, block: Block): string | undefined {
  const next = page.blocks[page.blocks.indexOf(block) + 1];
  return next?.lang === 'text' && next.unchecked === undefined ? next.text : undefined;
}

/** The page without its blocks, line for line. */
export function prose({ text }: Page): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined && mark !== undefined) fence = mark;
      else if (fence !== undefined && line.trimEnd() === fence) fence = undefined;
      else return fence === undefined ? line : '';
      return '';
    })
    .join('\n');
}
