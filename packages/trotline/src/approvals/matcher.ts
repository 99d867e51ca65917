import { compileGlob, matchName } from './glob.ts';
import { type ArgumentKind, kindOf, type Look, mainArgument, unreadable } from './look.ts';
import { compilePath } from './paths.ts';
import type { PolicyRule } from './types.ts';
import { urlSpellings } from './urls.ts';

/** A compiled rule. */
export interface RuleMatcher {
  readonly rule: PolicyRule;
  /** For a deny or an ask: whether anything the call may do falls under the rule. When in doubt, yes. */
  catches(look: Look): boolean;
  /** For an allow: whether the call lies within the rule, whole. When in doubt, no. */
  allows(look: Look): boolean;
  /** For an allow: whether one simple command of the call's command line does. */
  allowsPart(look: Look, part: string): boolean;
}

interface ArgumentTest {
  catches(text: string, kind: ArgumentKind, look: Look): boolean;
  allows(text: string, kind: ArgumentKind, look: Look): boolean;
  /** The bare pattern, for one part of a command line. */
  matches(part: string): boolean;
}

/** Compiles one rule. Relative patterns over paths count from `cwd`. */
export function compileMatcher(rule: PolicyRule, cwd: string): RuleMatcher {
  const named = (look: Look) => matchName(rule.tool, look.call.tool);
  const main = rule.pattern === undefined ? undefined : compileTest(rule.pattern, cwd);
  const others = Object.entries(rule.match ?? {}).map(([name, pattern]) => ({ name, test: compileTest(pattern, cwd) }));

  const catches = (test: ArgumentTest, name: string | undefined, look: Look): boolean => {
    const text = look.text(name);
    if (text === undefined) return false;
    return text === unreadable || test.catches(text, name === undefined ? 'text' : kindOf(name), look);
  };
  const allows = (test: ArgumentTest, name: string | undefined, look: Look): boolean => {
    const text = look.text(name);
    if (text === undefined || text === unreadable) return false;
    const kind = name === undefined ? 'text' : kindOf(name);
    // A list where a path or a command belongs is the tool's to refuse, not ours to allow.
    if (kind !== 'text' && typeof look.call.input[name!] !== 'string') return false;
    return test.allows(text, kind, look);
  };
  const allowsOthers = (look: Look) => named(look) && others.every(({ name, test }) => allows(test, name, look));

  return {
    rule,
    catches: (look) =>
      named(look) &&
      (!main || catches(main, mainArgument(look.call.tool), look)) &&
      others.every(({ name, test }) => catches(test, name, look)),
    allows: (look) => allowsOthers(look) && (!main || allows(main, mainArgument(look.call.tool), look)),
    allowsPart: (look, part) => allowsOthers(look) && (!main || main.matches(part)),
  };
}

function compileTest(pattern: string, cwd: string): ArgumentTest {
  const glob = compileGlob(pattern);
  const path = compilePath(pattern, cwd);
  const anything = /^\*+$/.test(pattern);
  return {
    catches: (text, kind, look) => {
      if (anything || glob.test(text)) return true;
      if (kind === 'path') return path.touches(look.path(text));
      if (kind === 'url') return urlSpellings(text).some((spelling) => glob.test(spelling));
      if (kind !== 'shell') return false;
      const { texts, opaque } = look.view(text);
      return opaque || texts.some((seen) => glob.test(seen));
    },
    allows: (text, kind, look) => {
      if (anything) return true;
      if (kind === 'path') return path.allows(look.path(text));
      if (kind === 'url') return urlSpellings(text).every((spelling) => glob.test(spelling));
      if (kind !== 'shell') return glob.test(text);
      // A pattern without a star is the very command its writer read.
      if (!glob.wild) return glob.test(text);
      const { parts, plain } = look.reading(text);
      return plain && parts.length > 0 && parts.every(({ raw }) => glob.test(raw));
    },
    matches: (part) => anything || glob.test(part),
  };
}
