import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRules, type PolicyRule, ruleText } from '../../src/approvals/index.ts';

const compile = (...rules: (Partial<PolicyRule> & Pick<PolicyRule, 'decision'>)[]) =>
  compileRules(
    rules.map((rule) => ({ tool: '*', layer: 'person' as const, ...rule })),
    { cwd: '/work' },
  );
const bash = (command: string) => ({ tool: 'Bash', input: { command } });

describe('rules', () => {
  test('say nothing where none speaks', () => {
    expect(compile()(bash('ls'))).toBeUndefined();
    expect(compile({ decision: 'deny', tool: 'Read' })(bash('ls'))).toBeUndefined();
  });

  test('let a deny beat an ask and an ask an allow, in any order and whatever the layer', () => {
    const layers = fc.constantFrom('managed', 'person', 'flag', 'project');
    const rule = fc.record({
      decision: fc.constantFrom('allow', 'ask', 'deny'),
      tool: fc.constantFrom('*', 'Bash', 'B*', 'Read', '?ash'),
      layer: layers,
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), (rules) => {
        const speaking = rules.filter(({ tool }) => tool !== 'Read').map(({ decision }) => decision);
        const expected = (['deny', 'ask', 'allow'] as const).find((decision) => speaking.includes(decision));
        expect(compileRules(rules as PolicyRule[], { cwd: '/' })(bash('ls'))?.decision).toBe(expected);
      }),
    );
  });

  test('never let an added allow undo a deny or an ask, whatever patterns they have', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', ' ', ';', '/', '.', '"', '$', '('), maxLength: 8 });
    const rule = fc.record({
      decision: fc.constantFrom('ask', 'deny'),
      tool: fc.constantFrom('*', 'Bash', 'Write', 'X'),
      pattern: text,
    });
    const call = fc.oneof(
      fc.record({ tool: fc.constant('Bash'), input: fc.record({ command: text }) }),
      fc.record({ tool: fc.constant('Write'), input: fc.record({ file_path: text, content: text }) }),
      fc.record({ tool: fc.constant('X'), input: fc.dictionary(text, fc.jsonValue()) }),
    );
    const layer = fc.constantFrom('managed', 'person', 'flag', 'project');
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 4 }),
        fc.array(fc.tuple(text, layer), { maxLength: 4 }),
        call,
        (stops, allows, it) => {
          const without = compile(...(stops as PolicyRule[]))(it)?.decision;
          const rules = allows.flatMap(([pattern, at]) => [
            { decision: 'allow' as const, pattern, layer: at as 'person' },
            { decision: 'allow' as const, layer: at as 'person' },
          ]);
          const withAllows = compile(...rules, ...(stops as PolicyRule[]))(it)?.decision;
          if (without) expect(withAllows).toBe(without);
          else expect(withAllows).not.toBe('deny');
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('say which rule decided and where it stands', () => {
    const verdict = compile({
      decision: 'deny',
      tool: 'Bash',
      pattern: 'rm *',
      place: { file: '/home/me/trotline.json', line: 12 },
    })(bash('rm x'));
    expect(verdict).toEqual({
      decision: 'deny',
      reason: 'Bash: the rule "deny Bash:rm *" (/home/me/trotline.json:12) denies this call',
      source: { kind: 'rule', name: 'policy', rule: 'deny Bash:rm *', place: '/home/me/trotline.json:12' },
      layer: 'person',
    });
  });

  test('give the reason their writer gave, and say when they are managed', () => {
    const verdict = compile({ decision: 'ask', reason: 'ask the owner', layer: 'managed' })(bash('x'));
    expect(verdict).toMatchObject({ decision: 'ask', reason: 'ask the owner', source: { kind: 'managed' } });
  });

  test("count an allow as the project's as soon as one part of a command needs the project", () => {
    const rules = compile(
      { decision: 'allow', tool: 'Bash', pattern: 'ls*' },
      { decision: 'allow', tool: 'Bash', pattern: 'npm *', layer: 'project' },
      { decision: 'allow', tool: 'Bash', pattern: 'ls -a', layer: 'project' },
    );
    expect(rules(bash('ls -a'))?.layer).toBe('person');
    expect(rules(bash('ls; npm test'))?.layer).toBe('project');
  });

  test('need every named argument', () => {
    const rules = compile({ decision: 'deny', tool: 'mcp__*', match: { repo: 'prod-*', force: 'true' } });
    expect(rules({ tool: 'mcp__git__push', input: { repo: 'prod-1', force: true } })?.decision).toBe('deny');
    expect(rules({ tool: 'mcp__git__push', input: { repo: 'prod-1' } })).toBeUndefined();
    expect(rules({ tool: 'mcp__git__push', input: { repo: 'dev', force: true } })).toBeUndefined();
  });

  test('look at the whole input of a tool they do not know, in one spelling', () => {
    const rules = compile({ decision: 'deny', tool: 'mcp__x', pattern: '*"b":1*' });
    expect(rules({ tool: 'mcp__x', input: { c: [{ b: 1 }], a: 2 } })?.decision).toBe('deny');
    expect(rules({ tool: 'mcp__x', input: { c: 2 } })).toBeUndefined();
  });

  test('deny what cannot be spelt and do not allow it', () => {
    const odd = { tool: 'mcp__x', input: { when: new Date(0) } };
    expect(compile({ decision: 'deny', tool: 'mcp__x', pattern: 'never' })(odd)?.decision).toBe('deny');
    expect(compile({ decision: 'allow', tool: 'mcp__x', pattern: '*1970*' })(odd)).toBeUndefined();
  });

  test('are not fooled by names every object has', () => {
    const rules = compile({ decision: 'allow', match: { constructor: '*' } });
    expect(rules({ tool: 'toString', input: {} })).toBeUndefined();
    expect(
      compile({ decision: 'allow', tool: '__proto__', pattern: '{}' })({ tool: '__proto__', input: {} })?.decision,
    ).toBe('allow');
  });
});

describe('an address', () => {
  const allow = compile({ decision: 'allow', tool: 'WebFetch', pattern: 'https://docs.rs/*' });
  test.each([
    ['https://docs.rs/serde', 'allow'],
    ['https://docs.rs@evil.example/', undefined],
    ['https://docs.rs.evil.example/', undefined],
    ['https://user:pw@docs.rs/', undefined],
    ['http://docs.rs/', undefined],
    ['https://docs.rs\\@evil.example/', undefined],
    ['https:docs.rs/', undefined],
  ])('%s is %s under an allow of one host', (url, expected) => {
    expect(allow({ tool: 'WebFetch', input: { url } })?.decision).toBe(expected);
  });
  test.each([
    'https://evil.example/x',
    'HTTPS://EVIL.example/x',
    'https://a:b@evil.example/x',
    'https:\\\\evil.example/x',
    ' https://evil.example/x',
  ])('%j is caught by a deny of its host', (url) => {
    const deny = compile({ decision: 'deny', tool: 'WebFetch', pattern: 'https://evil.example/*' });
    expect(deny({ tool: 'WebFetch', input: { url } })?.decision).toBe('deny');
  });
});

test('a rule is shown as a person would write it', () => {
  expect(ruleText({ decision: 'ask', tool: 'Bash', layer: 'flag' })).toBe('ask Bash');
  expect(ruleText({ decision: 'deny', tool: 'X', pattern: 'a', match: { b: 'c' }, layer: 'flag' })).toBe(
    'deny X:a [b=c]',
  );
});
