import type { LayerVoice } from './authority.ts';
import { shown } from './document.ts';
import type { Reporter } from './problem.ts';
import type { Rule } from './types.ts';

/** All rules, strongest layer first; those of the command line stand with the file given on it. */
export function mergeRules(voices: readonly LayerVoice[], commandLine: readonly Rule[], report: Reporter): Rule[] {
  const managed = voices.filter((voice) => voice.name === 'managed').flatMap((voice) => voice.content.rules);
  const rest = voices.filter((voice) => voice.name !== 'managed').flatMap((voice) => voice.content.rules);
  const rules = [...managed, ...commandLine, ...rest];
  reportLifted(rules, report);
  return rules;
}

/** An `allow` that a stronger layer's `ask` or `deny` covers wholly has no effect, and whoever wrote it should know. */
function reportLifted(rules: readonly Rule[], report: Reporter): void {
  const strict = rules.filter((rule) => rule.decision !== 'allow');
  for (const rule of rules) {
    if (rule.decision !== 'allow' || rule.layer === 'managed') continue;
    if (rule.layer === 'project') {
      const what = `The project's rule that allows "${shown(ruleText(rule))}" grants nothing: a project cannot answer what you are to be asked`;
      report.warning('config.project-cannot-loosen', rule.place, { what });
      continue;
    }
    const over = strict.find((one) => outranks(one, rule) && covers(one, rule));
    if (over === undefined) continue;
    const where = over.place.file === undefined ? '' : `, ${over.place.file}:${over.place.line ?? 1}`;
    const what = `The rule that allows "${shown(ruleText(rule))}" cannot lift the one that says ${over.decision}${where}`;
    const code = over.layer === 'managed' ? 'config.managed-stays' : 'config.project-cannot-loosen';
    report.warning(code, rule.place, { what });
  }
}

const outranks = (strong: Rule, weak: Rule): boolean =>
  strong.layer === 'managed' ? weak.layer !== 'managed' : weak.layer === 'project' && strong.layer !== 'project';

function covers(strong: Rule, weak: Rule): boolean {
  if (strong.tool !== '*' && strong.tool !== weak.tool) return false;
  if (strong.pattern === undefined && strong.match === undefined) return true;
  return strong.pattern === weak.pattern && JSON.stringify(strong.match) === JSON.stringify(weak.match);
}

/** A rule as it could be written on the command line. */
export const ruleText = (rule: Pick<Rule, 'tool' | 'pattern'>): string =>
  rule.pattern === undefined ? rule.tool : `${rule.tool}:${rule.pattern}`;
