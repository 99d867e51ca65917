import type { Fields } from '../shape.ts';

/** How one argument is spelled elsewhere. */
export interface ArgSpelling {
  readonly as: string;
  readonly to?: (value: unknown) => unknown;
  readonly from?: (value: unknown) => unknown;
}

/** How a tool is called in one world. */
export interface Spelling {
  readonly tool: string;
  /** Other names that the world knows it by. */
  readonly aliases?: readonly string[];
  /** Canonical argument → the world's. What is not here cannot be spelled, unless it is listed below. */
  readonly args: Readonly<Record<string, string | ArgSpelling>>;
  /** Arguments that the world always adds; a call that says otherwise is not this one. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Canonical arguments that this spelling is for only if they have these values. Left out when spelled. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Canonical arguments that say nothing about what the call does. They are left out, and put back on the way back. */
  readonly silent?: readonly string[];
  /** The world's arguments that say nothing about what the call does. */
  readonly ignored?: readonly string[];
}

/** The worlds that spell tools their own way. Claude's spelling is the canonical one. */
export type World = 'picoclaw' | 'openclacky';

/** A tool, with its canonical name and arguments and every world's spelling. The first spelling that fits is used. */
export interface ToolDef<F extends Fields = Fields> {
  readonly doc: string;
  readonly input: F;
  readonly worlds: { readonly [W in World]?: readonly Spelling[] };
}

export const defineTool = <const F extends Fields>(def: ToolDef<F>): ToolDef<F> => def;
