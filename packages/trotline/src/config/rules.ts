import type { Place } from '@trotline/engine';
import type { ReadContext } from './content.ts';
import { shown } from './document.ts';
import type { Finding, Reporter } from './problem.ts';
import type { ConfigFile } from './schema.ts';
import { unknownTool } from './toolNames.ts';
import type { LayerName, Rule } from './types.ts';

const MAX_PATTERN = 2000;
const TOOL = /^[\w.*?/-]+$/;
const decisions = ['deny', 'ask', 'allow'] as const;

/** Reads `policy`: the rules in the order of the file, deny before ask before allow. */
export function readRules(context: ReadContext, policy: ConfigFile['policy']): Rule[] {
  if (policy === undefined) return [];
  const { document, layer, report } = context;
  const rules: Rule[] = [];
  for (const decision of decisions) {
    const list = policy[decision] ?? [];
    list.forEach((entry, index) => {
      const place = document.place(list, index);
      const rule = typeof entry === 'string' ? parseRule(entry) : checkRule(entry);
      if ('what' in rule) report.error('config.rule-syntax', place, rule);
      else {
        const unknown = unknownTool(rule.tool);
        if (unknown !== undefined)
          report.warning('config.unknown-tool', place, { what: `A rule may never speak: ${unknown}` });
        rules.push({ decision, ...rule, layer, place });
      }
    });
  }
  return rules;
}

type Parsed = Pick<Rule, 'tool' | 'pattern' | 'match' | 'reason'>;

/** Splits `TOOL[:pattern]` at the first colon, or says what is wrong with it. */
export function parseRule(text: string): Parsed | Finding {
  const colon = text.indexOf(':');
  const called = /^([\w.*?-]+)\((.*)\)$/s.exec(text);
  if (called !== null && colon !== called[1]?.length)
    return {
      what: `"${shown(text)}" is a rule in the spelling of Claude Code`,
      remedy: `Write "${shown(called[1] ?? '')}:${shown((called[2] ?? '').replace(/:\*$/, ' *'))}".`,
    };
  if (colon < 0) return checkRule({ tool: text });
  return checkRule({ tool: text.slice(0, colon), pattern: text.slice(colon + 1) });
}

function checkRule(rule: {
  tool: string;
  pattern?: string | undefined;
  match?: Record<string, string> | undefined;
  reason?: string | undefined;
}): Parsed | Finding {
  const { tool, pattern, match, reason } = rule;
  if (tool === '') return { what: 'A rule names no tool' };
  if (!TOOL.test(tool))
    return {
      what: `"${shown(tool)}" is not the name of a tool`,
      expected: 'letters, digits, _ - . / and the wildcards * and ?',
    };
  for (const [name, text] of Object.entries({ ...match, ...(pattern === undefined ? {} : { pattern }) })) {
    const wrong = checkPattern(text);
    if (wrong !== undefined) return { what: `The pattern "${shown(name)}" of a rule for ${tool} ${wrong}` };
  }
  return {
    tool,
    ...(pattern === undefined ? {} : { pattern }),
    ...(match === undefined ? {} : { match: { ...match } }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function checkPattern(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (text.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is never meant in a pattern
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return 'holds a control character';
  return undefined;
}

/** Rules of the command line, which no file has. */
export function flagRules(
  flags: { readonly [decision in Rule['decision']]?: readonly string[] } | undefined,
  report: Reporter,
): Rule[] {
  const layer: LayerName = 'flag';
  return decisions.flatMap((decision) =>
    (flags?.[decision] ?? []).flatMap((text): Rule[] => {
      const place: Place = { key: `--${decision}` };
      const rule = parseRule(text);
      if (!('what' in rule)) return [{ decision, ...rule, layer, place }];
      report.error('config.rule-syntax', place, rule);
      return [];
    }),
  );
}
