import { placeText, type Verdict } from '@trotline/engine';
import { kindOf, type Look, lookAt, mainArgument } from './look.ts';
import { compileMatcher, type RuleMatcher } from './matcher.ts';
import type { PolicyRule, RuleCall, RuleLayer } from './types.ts';

/** A rule's verdict. `source` names the rule and where it stands. */
export interface RuleVerdict extends Verdict {
  /** Of several rules that allow the parts of one command line, the weakest. */
  readonly layer: RuleLayer;
}

/** Judges a call by rules; nothing where no rule speaks. */
export type Rules = (call: RuleCall) => RuleVerdict | undefined;

// An allow is looked for among the rules of those who may lift the permission default first.
const lifting: readonly RuleLayer[] = ['managed', 'person', 'flag'];

/**
 * Compiles `policy`: a deny beats an ask beats an allow, whatever the layer, and within one decision the first rule speaks. A deny or
 * an ask catches a call if any part of it may fall under the rule; an allow needs every part to. Relative patterns over paths count
 * from `cwd`.
 */
export function compileRules(rules: readonly PolicyRule[], { cwd }: { readonly cwd: string }): Rules {
  const of = (decision: PolicyRule['decision']) =>
    rules.filter((rule) => rule.decision === decision).map((rule) => compileMatcher(rule, cwd));
  const deny = of('deny');
  const ask = of('ask');
  const allow = of('allow');
  const trusted = allow.filter(({ rule }) => lifting.includes(rule.layer));
  return (call) => {
    const look = lookAt(call, cwd);
    for (const matcher of deny) if (matcher.catches(look)) return verdict([matcher.rule], call);
    for (const matcher of ask) if (matcher.catches(look)) return verdict([matcher.rule], call);
    const allowed = allowedBy(trusted, look) ?? (trusted.length < allow.length ? allowedBy(allow, look) : undefined);
    return allowed && verdict(allowed, call);
  };
}

/** A rule as a person would write it: `deny Bash:rm -rf *`. */
export function ruleText({ decision, tool, pattern, match }: PolicyRule): string {
  const args = Object.entries(match ?? {}).map(([name, text]) => `${name}=${text}`);
  return `${decision} ${tool}${pattern === undefined ? '' : `:${pattern}`}${args.length > 0 ? ` [${args.join(', ')}]` : ''}`;
}

// One rule that allows the call, or for a command line the rules that allow its parts.
function allowedBy(allow: readonly RuleMatcher[], look: Look): PolicyRule[] | undefined {
  const whole = allow.find((matcher) => matcher.allows(look));
  if (whole) return [whole.rule];
  const name = mainArgument(look.call.tool);
  const command = name === undefined || kindOf(name) !== 'shell' ? undefined : look.text(name);
  if (typeof command !== 'string' || typeof look.call.input[name!] !== 'string') return undefined;
  const { parts, plain } = look.reading(command);
  if (!plain || parts.length === 0) return undefined;
  const used = new Set<PolicyRule>();
  for (const { raw } of parts) {
    const found = allow.find((matcher) => matcher.allowsPart(look, raw));
    if (!found) return undefined;
    used.add(found.rule);
  }
  return [...used];
}

function verdict(rules: readonly PolicyRule[], call: RuleCall): RuleVerdict {
  const first = rules[0]!;
  const layer = rules.find((rule) => rule.layer === 'project')?.layer ?? first.layer;
  const text = rules.map(ruleText).join(' and ');
  const place = rules
    .map((rule) => placeText(rule.place ?? {}))
    .filter((at) => at !== '')
    .join(', ');
  const said = { deny: 'denies', ask: 'asks about', allow: 'allows' }[first.decision];
  return {
    decision: first.decision,
    reason: first.reason ?? `${call.tool}: the rule "${text}"${place === '' ? '' : ` (${place})`} ${said} this call`,
    source: {
      kind: layer === 'managed' ? 'managed' : 'rule',
      name: layer === 'managed' ? 'managed policy' : 'policy',
      rule: text,
      ...(place === '' ? {} : { place }),
    },
    layer,
  };
}
