import { TrotlineError, type Verdict } from '@trotline/engine';
import type { PolicyRule } from './types.ts';

const readOnly = new Set(['Read', 'Glob', 'Grep']);
// Never free to run, whatever says that they only read: what an MCP server says about its tools is its own word.
const neverFree = new Set(['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const isMcp = (tool: string): boolean => tool.startsWith('mcp__');

/**
 * What holds where no rule spoke: read-only tools run, and so does `Agent`, whose own calls are checked one by one. Everything else,
 * what nobody knows too, asks.
 */
export function permissionDefault(call: { readonly tool: string; readonly isReadOnly?: boolean }): Verdict {
  const { tool } = call;
  const runs =
    readOnly.has(tool) || tool === 'Agent' || (call.isReadOnly === true && !neverFree.has(tool) && !isMcp(tool));
  return {
    decision: runs ? 'allow' : 'ask',
    reason: runs
      ? `${tool} runs without asking`
      : `${tool} ${isMcp(tool) ? 'belongs to an MCP server' : 'can change something'} and no rule allows this call`,
    source: { kind: 'default', name: 'permission default' },
  };
}

/** The words of a deny where somebody would have to be asked and nobody can be. */
export function unaskedText(call: { readonly tool: string }, verdict: Verdict): string {
  const { tool } = call;
  const { kind, name, rule, place } = verdict.source;
  if (kind === 'default') {
    return (
      `${tool} needs permission and nobody can be asked here. ` +
      `Allow it with --allow ${quoted(tool)} or --allow ${quoted(`${tool}:PATTERN`)}, or with an allow rule under "policy" in your own ~/.trotline/trotline.json.`
    );
  }
  const who = rule === undefined ? `${name} wants` : `the rule "${rule}"${place ? ` (${place})` : ''} wants`;
  return (
    `${tool} waits for a person because ${who} one to be asked, and nobody can be asked here. ` +
    `Run it in a terminal, or change what asks; --allow ${quoted(`${tool}[:PATTERN]`)} lifts only the permission default, not a rule under "policy".`
  );
}

/**
 * Reads a `--allow TOOL[:pattern]` of the command line, `*` for every tool. It becomes an allow rule, so that it lifts the permission
 * default and never an ask or a deny. Throws `approvals.allow-syntax`.
 */
export function parseAllow(text: string): PolicyRule {
  const colon = text.indexOf(':');
  const tool = colon < 0 ? text : text.slice(0, colon);
  const pattern = colon < 0 ? undefined : text.slice(colon + 1);
  const claude = /^([\w.*?-]+)\((.*)\)$/s.exec(text);
  if (claude) {
    throw new TrotlineError('approvals.allow-syntax', {
      key: '--allow',
      what: `"${text.slice(0, 200)}" is written with parentheses`,
      // Claude Code writes `Bash(echo:*)` for what begins with a word.
      expected: `${claude[1]}:${claude[2]?.replace(/:\*$/, ' *')}`,
    });
  }
  if (!/^[\w.*?/-]{1,512}$/.test(tool) || pattern === '' || (pattern?.length ?? 0) > 4096) {
    throw new TrotlineError('approvals.allow-syntax', {
      key: '--allow',
      what: `"${text.slice(0, 200)}" names no tool that could be allowed`,
      expected: 'TOOL, TOOL:pattern or *, such as Bash:npm test',
    });
  }
  return {
    decision: 'allow',
    tool,
    ...(pattern === undefined ? {} : { pattern }),
    layer: 'flag',
    place: { file: '--allow' },
  };
}

const quoted = (text: string): string => (/^[\w:.-]+$/.test(text) ? text : `'${text}'`);
