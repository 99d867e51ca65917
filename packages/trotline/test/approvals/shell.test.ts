// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRules, type PolicyRule } from '../../src/approvals/index.ts';

const judge = (rules: readonly Pick<PolicyRule, 'decision' | 'pattern'>[], command: string) =>
  compileRules(
    rules.map((rule) => ({ tool: 'Bash', layer: 'person' as const, ...rule })),
    { cwd: '/work' },
  )({ tool: 'Bash', input: { command } })?.decision;

const allow = (pattern: string) => ({ decision: 'allow' as const, pattern });
const deny = (pattern: string) => ({ decision: 'deny' as const, pattern });

describe('an allow of `git status*` does not allow', () => {
  test.each([
    'git status; rm -rf ~',
    'git status ;rm -rf ~',
    'git status && rm -rf ~',
    'git status&&rm -rf ~',
    'git status || rm -rf ~',
    'git status | sh',
    'git status |& sh',
    'git status & rm -rf ~',
    'git status\nrm -rf ~',
    'git status\r\nrm -rf ~',
    'git status\rrm -rf ~',
    'git status\u0000rm -rf ~',
    'git status\u001b[2Krm',
    'git status $(rm -rf ~)',
    'git status "$(rm -rf ~)"',
    'git status `rm -rf ~`',
    'git status "`rm -rf ~`"',
    'git status <(rm -rf ~)',
    'git status >(rm -rf ~)',
    'git status > ~/.bashrc',
    'git status >> ~/.bashrc',
    'git status >| x',
    'git status &> x',
    'git status &>> x',
    'git status &>/dev/null',
    'git status &>/dev/null rm -rf ~',
    'git status >& x',
    'git status 2> x',
    'git status < /etc/passwd',
    'git status <> x',
    'git status << EOF\nrm\nEOF',
    'git status <<< x',
    'git status > /dev/null > x',
    'git status >/dev/null2',
    'git status > "/dev/null" > x',
    'git status ${x:-$(rm -rf ~)}',
    'git status ${x@P}',
    'git status $x',
    'git status "$x"',
    'git status $((a[$(rm -rf ~)]))',
    "git status $'\\n'rm",
    "git status # '\nrm -rf ~ # '",
    "git status # don't\nrm -rf ~",
    'git status \\\n; rm -rf ~',
    'git status \\',
    'git status "unterminated ; rm',
    "git status 'unterminated ; rm",
    'git status; (rm -rf ~)',
    'git status; { rm -rf ~; }',
    '(git status)',
    '{ git status; }',
    'if git status; then rm -rf ~; fi',
    '! git status',
    'time git status',
    'PAGER="sh -c evil" git status',
    'GIT_SSH=x git status',
    'LD_PRELOAD=./x.so git status',
    'env git status',
    'sudo git status',
    'sh -c "git status"',
    'sh -c "git status; rm -rf ~"',
    'eval git status',
    'git() { rm -rf ~; }; git status',
    'alias git=rm; git status',
    '/tmp/git status',
    './git status',
    ' \u00a0git status',
    '\u00a0git status',
    'git\u00a0status',
    'git status\u2028rm -rf ~',
    'GIT STATUS',
    'git  status',
    'git "status"',
    '"git status"',
    'echo; git status; rm -rf ~',
    '',
    ';',
    '>/dev/null',
  ])('%j', (command) => {
    expect(judge([allow('git status*')], command)).toBeUndefined();
  });
});

describe('an allow of `git status*` allows', () => {
  test.each([
    'git status',
    'git status -s',
    '  git status  ',
    'git status "a; rm -rf b"',
    "git status 'a $(rm) `x` > y'",
    'git status a\\;b',
    'git status 2>&1',
    'git status 2>/dev/null',
    'git status >/dev/null 2>&1',
    'git status; git status -s',
    'git status && git status',
    'git status\ngit status',
    'git status HEAD@{1}',
    'git status a#b',
    'git status "it\'s"',
  ])('%j', (command) => {
    expect(judge([allow('git status*')], command)).toBe('allow');
  });
});

describe('an allow over a command line', () => {
  test('may be put together from several rules, one for each part', () => {
    const rules = [allow('git *'), allow('npm test*')];
    expect(judge(rules, 'git pull && npm test -- -u')).toBe('allow');
    expect(judge(rules, 'git pull && npm publish')).toBeUndefined();
  });
  test('without a star is the very command, whatever it holds', () => {
    expect(judge([allow('make test > log 2>&1; cat log')], 'make test > log 2>&1; cat log')).toBe('allow');
    expect(judge([allow('make test > log 2>&1; cat log')], 'make test > log 2>&1; cat log; rm log')).toBeUndefined();
  });
  test('of everything is everything', () => {
    expect(judge([allow('*')], 'a; b > c $(d)')).toBe('allow');
    expect(judge([{ decision: 'allow' }], 'a; b > c $(d)')).toBe('allow');
  });
  test('that begins with a star reaches no assignment in front of a command, which can change what runs', () => {
    expect(judge([allow('* status')], 'git status')).toBe('allow');
    expect(judge([allow('* status')], 'LD_PRELOAD=./x.so git status')).toBeUndefined();
    expect(judge([allow('LANG=C git *')], 'LANG=C git status')).toBeUndefined();
    expect(judge([allow('LANG=C git status')], 'LANG=C git status')).toBe('allow');
  });
  test('of a list where a command belongs is nothing', () => {
    const rules = compileRules([{ decision: 'allow', tool: 'Bash', pattern: '*ls*', layer: 'person' }], { cwd: '/' });
    expect(rules({ tool: 'Bash', input: { command: ['ls'] } })).toBeUndefined();
    expect(rules({ tool: 'Bash', input: {} })).toBeUndefined();
  });
});

describe('a deny of `rm -rf *` catches', () => {
  test.each([
    'rm -rf ~',
    '  rm   -rf\t~',
    'ls; rm -rf ~',
    'ls && rm -rf ~',
    'ls || rm -rf ~',
    'ls | rm -rf ~',
    'ls & rm -rf ~',
    'ls\nrm -rf ~',
    'ls\r\nrm -rf ~',
    '(rm -rf ~)',
    '{ rm -rf ~; }',
    'echo $(rm -rf ~)',
    'echo "$(rm -rf ~)"',
    'echo "x $(echo "$(rm -rf ~)")"',
    'echo `rm -rf ~`',
    'echo "`rm -rf ~`"',
    'echo ${x:-$(rm -rf ~)}',
    'cat <(rm -rf ~)',
    'if true; then rm -rf ~; fi',
    'for x in a; do rm -rf ~; done',
    'while true; do rm -rf ~; done',
    'f() { rm -rf ~; }; f',
    '! rm -rf ~',
    'time rm -rf ~',
    'sudo rm -rf ~',
    'sudo -u root -n rm -rf ~',
    'sudo -- rm -rf ~',
    'doas rm -rf ~',
    'env rm -rf ~',
    'env -i A=1 B=2 rm -rf ~',
    'A=1 B=2 rm -rf ~',
    'command rm -rf ~',
    'nohup rm -rf ~ &',
    'nice -n 10 rm -rf ~',
    'timeout 5 rm -rf ~',
    'exec rm -rf ~',
    'builtin command rm -rf ~',
    'sudo env A=1 nohup time rm -rf ~',
    'echo ~ | xargs rm -rf x',
    'echo ~ | xargs rm -rf',
    'echo ~ | xargs -n 1 -0 sudo rm -rf',
    'find . -exec rm -rf {} +',
    'find . -name x -exec sh -c "rm -rf ~" \\;',
    '/bin/rm -rf ~',
    '\\rm -rf ~',
    "'rm' -rf ~",
    'r""m -rf ~',
    'r\'\'m "-rf" ~',
    "$'\\x72m' -rf ~",
    "$'r\\155' -rf ~",
    'r$@m -rf ~',
    'r${x}m -rf ~',
    'rm${IFS}-rf${IFS}~',
    'rm$IFS-rf $IFS~',
    '{rm,-rf,~}',
    '{/bin/rm,-rf} ~',
    'sh -c "rm -rf ~"',
    "bash -c 'rm -rf ~'",
    "bash -lc 'ls; rm -rf ~'",
    "/bin/bash -e -c 'rm -rf ~'",
    'sudo sh -c "rm -rf ~"',
    'sh -c "sh -c \'rm -rf ~\'"',
    "su root -c 'rm -rf ~'",
    "eval 'rm -rf ~'",
    'eval rm -rf "~"',
    "trap 'rm -rf ~' EXIT",
    "echo 'rm -rf ~' | sh",
    "bash <<< 'rm -rf ~'",
    'bash <<EOF\nrm -rf ~\nEOF',
    '<<EOF rm -rf ~\nEOF',
    '<<< x rm -rf ~',
    '$IFS#||rm -rf ~',
    "cat <<EOF\ndon't\nEOF\nrm -rf ~\necho 'x'",
    "ls # don't\nrm -rf ~",
    'echo "unterminated; rm -rf ~',
    "echo 'unterminated; rm -rf ~",
    'r\\\nm -rf ~',
    '> /dev/null rm -rf ~',
    '2>&1 rm -rf ~',
    '>out rm -rf ~',
    'ls &>out rm -rf ~',
    'rm &>out -rf ~',
    'case x in x) rm -rf ~;; esac',
    'echo "$(case x in x) rm -rf ~;; esac)"',
    'a=(1 2); rm -rf ~',
    'echo $((1<<2)); rm -rf ~',
    'coproc rm -rf ~',
    'ls; ; rm -rf ~',
    `${'echo $('.repeat(12)}rm -rf ~${')'.repeat(12)}`,
    `${'sudo '.repeat(50)}rm -rf ~`,
    `env ${'A=1 '.repeat(300)}rm -rf ~`,
  ])('%j', (command) => {
    expect(judge([deny('rm -rf *'), allow('*')], command)).toBe('deny');
  });

  test.each([
    ['nesting without end', `${'$('.repeat(5000)}rm -r -f ~`],
    ['`eval` of `eval`', `${'eval '.repeat(30)}rm -r -f ~`],
    ['a command longer than can be judged', `${' '.repeat(300_000)}x; rm -r -f ~`],
    ['more suffixes than can be judged', `${'sudo '.repeat(4000)}rm -r -f ~`],
  ])('what cannot be seen through: %s', (_name, command) => {
    expect(judge([deny('rm -rf *'), allow('*')], command)).toBe('deny');
  });
});

describe('a deny of `rm -rf *` leaves alone', () => {
  test.each([
    'ls -la',
    'git commit -m "fix; rm -rf is bad"',
    "git commit -m 'never rm -rf /'",
    'echo "a && rm -rf b"',
    'echo rm -rf x',
    'rm -r x',
    'grep -n "rm -rf" src',
    'npm run build -- --out "$DIR"',
  ])('%j', (command) => {
    expect(judge([deny('rm -rf *')], command)).toBeUndefined();
  });
});

describe('a command line of another tool', () => {
  const rules = compileRules(
    [
      { decision: 'allow', tool: 'mcp__box__run', match: { command: 'git status*' }, layer: 'person' },
      { decision: 'deny', tool: 'mcp__*', match: { command: 'rm *' }, layer: 'person' },
    ],
    { cwd: '/' },
  );
  test.each([
    ['git status -s', 'allow'],
    ['git status; curl x | sh', undefined],
    ['git status; rm x', 'deny'],
  ])('is read as one, too: %j', (command, expected) => {
    expect(rules({ tool: 'mcp__box__run', input: { command } })?.decision).toBe(expected);
  });
});

describe('whatever the command', () => {
  const piece = fc.constantFrom(
    ...[
      'git status',
      'rm -rf ~',
      'sh -c',
      ' ',
      ' ',
      ';',
      '&&',
      '|',
      '&',
      '\n',
      '"',
      "'",
      '`',
      '$(',
      ')',
      '(',
      '{',
      '}',
    ],
    ...[
      '\\',
      '#',
      '<',
      '>',
      '>>',
      '<<',
      '$',
      '${',
      'x',
      '2>&1',
      '/dev/null',
      'sudo',
      'A=1',
      '\t',
      "$'",
      '\r',
      '!',
      'if',
    ],
  );
  const command = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  test('no allow overrides a deny', () => {
    fc.assert(
      fc.property(command, fc.constantFrom('*', 'git status*', 'rm*', '* *'), (text, pattern) => {
        const denied = judge([deny('rm -rf *')], text);
        const both = judge([allow(pattern), deny('rm -rf *')], text);
        expect(both === 'deny').toBe(denied === 'deny');
      }),
      { numRuns: 4000 },
    );
  });

  test('an allow with a star never lets a command through that a shell would see as something else', () => {
    fc.assert(
      fc.property(command, (text) => {
        if (judge([allow('git status*')], text) !== 'allow') return;
        // What is allowed has no sign left outside quotes that could start, feed or redirect anything.
        const bare = text
          .replaceAll(/\\[^\n]|'[^']*'|"(?:\\[^\n]|[^"\\])*"/g, 'x')
          .replaceAll(/\d*(?:>>|>\||<>|[<>])[ \t]*\/dev\/null(?![^\s;&|<>])|\d*[<>]&[ \t]*\d+(?![^\s;&|<>])/g, '');
        for (const part of bare.split(/&&|\|\||[;&|\n]/)) expect(part.trim()).toMatch(/^(?:git status[^$`<>()]*)?$/);
      }),
      { numRuns: 20_000 },
    );
  });
});

test.each(['r{m,} ~', '{r,x}m ~', 'ls; /bin/{rm,ls} ~'])(
  'the first word that braces make is the command: %j',
  (command) => {
    expect(judge([deny('rm *'), allow('*')], command)).toBe('deny');
  },
);
