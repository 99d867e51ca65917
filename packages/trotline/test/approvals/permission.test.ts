import { describe, expect, test } from 'vitest';
import { compileRules, parseAllow, permissionDefault, unaskedText } from '../../src/approvals/index.ts';

describe('without a rule', () => {
  test.each([
    ['Read', false, 'allow'],
    ['Glob', false, 'allow'],
    ['Grep', false, 'allow'],
    ['Agent', false, 'allow'],
    ['Clock', true, 'allow'],
    ['Clock', false, 'ask'],
    ['Bash', false, 'ask'],
    ['Write', false, 'ask'],
    ['Edit', false, 'ask'],
    ['mcp__files__read', false, 'ask'],
    ['read', false, 'ask'],
    // Nobody's word that it only reads makes these free.
    ['Bash', true, 'ask'],
    ['Write', true, 'ask'],
    ['mcp__files__read', true, 'ask'],
  ] as const)('%s (read-only: %s) is %s', (tool, isReadOnly, decision) => {
    expect(permissionDefault({ tool, isReadOnly })).toMatchObject({ decision, source: { kind: 'default' } });
  });
});

describe('where nobody can be asked', () => {
  test('the words name the very flag that would allow this tool, and the key of the configuration', () => {
    const text = unaskedText({ tool: 'Bash' }, permissionDefault({ tool: 'Bash' }));
    expect(text).toContain('--allow Bash');
    expect(text).toContain('Bash:PATTERN');
    expect(text).toContain('"policy"');
  });
  test('an ask of a rule is not said to be lifted by the flag', () => {
    const rules = compileRules(
      [{ decision: 'ask', tool: 'Bash', layer: 'person', place: { file: 'trotline.json', line: 3 } }],
      { cwd: '/' },
    );
    const text = unaskedText({ tool: 'Bash' }, rules({ tool: 'Bash', input: { command: 'x' } })!);
    expect(text).toContain('"ask Bash" (trotline.json:3)');
    expect(text).toContain('not a rule');
  });
});

describe('--allow', () => {
  test.each([
    ['Bash', { tool: 'Bash' }],
    ['*', { tool: '*' }],
    ['mcp__git__*', { tool: 'mcp__git__*' }],
    ['Bash:git status*', { tool: 'Bash', pattern: 'git status*' }],
    ['WebFetch:https://docs.rs/*', { tool: 'WebFetch', pattern: 'https://docs.rs/*' }],
  ])('%s', (text, expected) => {
    expect(parseAllow(text)).toMatchObject({ decision: 'allow', layer: 'flag', ...expected });
  });
  test.each(['', ':', 'Bash:', ':ls', 'Bash(ls)', 'Bash(git:*)', 'a b', 'Bash\n', 'x'.repeat(600)])(
    '%j is refused',
    (text) => {
      expect(() => parseAllow(text)).toThrow(expect.objectContaining({ code: 'approvals.allow-syntax' }));
    },
  );
  test('of everything lifts no ask and no deny', () => {
    const rules = compileRules(
      [
        parseAllow('*'),
        { decision: 'ask', tool: 'Bash', pattern: 'git push*', layer: 'person' },
        { decision: 'deny', tool: 'Write', layer: 'project' },
      ],
      { cwd: '/' },
    );
    expect(rules({ tool: 'Bash', input: { command: 'ls; git push' } })?.decision).toBe('ask');
    expect(rules({ tool: 'Write', input: { file_path: 'x' } })?.decision).toBe('deny');
    expect(rules({ tool: 'Bash', input: { command: 'ls' } })).toMatchObject({ decision: 'allow', layer: 'flag' });
  });
});
