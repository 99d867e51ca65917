export { type SessionMemory, sameCall, serialAsker, sessionMemory } from './ask.ts';
export { parseAllow, permissionDefault, unaskedText } from './permission.ts';
export { compileRules, type Rules, type RuleVerdict, ruleText } from './rules.ts';
export type * from './types.ts';
