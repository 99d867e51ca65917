import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMask, masked } from '../../src/records/index.ts';

const plain = createMask({});
const text = (value: string): string => plain(value) as string;
// Put together here, so that nothing that looks like a key stands in the source.
const make = (head: string, length: number): string => head + 'A1b2C3d4'.repeat(Math.ceil(length / 8)).slice(0, length);

describe('text of a well-known shape is masked', () => {
  test.each([
    ['an API key', make('sk-', 40)],
    ['an API key with a family', make('sk-ant-api03-', 40)],
    ['a GitHub token', make('ghp_', 36)],
    ['a fine-grained GitHub token', make('github_pat_', 50)],
    ['a GitLab token', make('glpat-', 20)],
    ['an npm token', make('npm_', 36)],
    ['a Slack token', make('xoxb-', 30)],
    ['an AWS key', `AKIA${'ABCD1234'.repeat(2)}`],
    ['a Google key', make('AIza', 35)],
    ['a web token', `${make('eyJ', 20)}.${make('eyJ', 20)}.${make('', 20)}`],
  ])('%s', (_name, secret) => {
    for (const around of [secret, `key is ${secret}, use it`, `"${secret}"`, `a\n${secret}\nb`]) {
      const out = text(around);
      expect(out).toContain(masked);
      expect(out).not.toContain(secret.slice(4));
    }
    expect(text(`key is ${secret}, use it`)).toBe(`key is ${masked}, use it`);
  });

  test.each([
    ['Authorization: Bearer abcdefgh12345', 'abcdefgh12345'],
    ['curl -H "Authorization: token abcd1234" x', 'abcd1234'],
    ['authorization=xyz', 'xyz'],
    ['Proxy bearer abcdefgh12345', 'abcdefgh12345'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
    ['PGPASSWORD=hunter2 psql', 'hunter2'],
    ['MY_API_KEY="hunter two" run', 'hunter two'],
    ["export TOKEN='hunter two'", 'hunter two'],
    ['mysql --password hunter2 -u me', 'hunter2'],
    ['mysql --password=hunter2 -u me', 'hunter2'],
    ['{"api_key": "hunter2"}', 'hunter2'],
    ['https://me:hunter2@host/x', 'hunter2'],
    ['postgres://me:hunter2@host/x', 'hunter2'],
  ])('%s', (before, secret) => {
    expect(text(before)).toContain(masked);
    expect(text(before)).not.toContain(secret);
  });

  test('a private key in PEM, also one without an end, and no certificate', () => {
    const pem = (label: string) => `-----BEGIN ${label}-----\nMIIabc\ndef\n-----END ${label}-----`;
    expect(text(`a ${pem('RSA PRIVATE KEY')} b ${pem('PRIVATE KEY')} c`)).toBe(`a ${masked} b ${masked} c`);
    expect(text('a -----BEGIN PRIVATE KEY-----\nMIIabc')).toBe(`a ${masked}`);
    expect(text(pem('CERTIFICATE'))).toBe(pem('CERTIFICATE'));
  });
});

test.each([
  'git commit -m "fix tokens"',
  'ls -la /tmp',
  'the key to success',
  'skip-this-long-identifier-name',
  'task: sk-short',
  'https://host:8080/a@b',
])('ordinary text stays as it is: %s', (value) => expect(text(value)).toBe(value));

describe('what stands under a telling key is masked', () => {
  test.each([
    'password',
    'Password',
    'db_password',
    'token',
    'accessToken',
    'apiKey',
    'api_key',
    'x-api-key',
    'authorization',
    'Cookie',
    'client_secret',
    'privateKey',
  ])('%s', (key) => expect(plain({ a: [{ [key]: 'x', n: 1 }] })).toEqual({ a: [{ [key]: masked, n: 1 }] }));
  test('whatever it is, but not a yes or no', () => {
    expect(plain({ secret: { deep: ['x'] }, token: 5, password: true, cookie: null })).toEqual({
      secret: masked,
      token: masked,
      password: true,
      cookie: null,
    });
  });
  test.each(['max_tokens', 'tokens', 'tokenizer', 'keyboard', 'key', 'author'])('and %s is none', (key) => {
    expect(plain({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });
});

describe('values of the environment', () => {
  const mask = createMask({
    env: {
      MY_TOKEN: 'abc/def+hidden "x"',
      PWD: '/home/me/project',
      SHORT_KEY: '1',
      HOME: '/home/someone',
      EMPTY_SECRET: '',
      LONG_TOKEN: 'abc/def+hidden "x" and more',
    },
    secrets: ['from-a-file'],
  });
  test('are masked where their names look secret, spelt plainly, in an address or in JSON', () => {
    expect(mask('run abc/def+hidden "x" now')).toBe(`run ${masked} now`);
    expect(mask(`https://h/?q=${encodeURIComponent('abc/def+hidden "x"')}`)).toBe(`https://h/?q=${masked}`);
    expect(mask(JSON.stringify('abc/def+hidden "x"'))).toBe(`"${masked}"`);
    expect(mask('abc/def+hidden "x" and more')).toBe(masked);
    expect(mask('from-a-file')).toBe(masked);
    expect(mask({ 'abc/def+hidden "x"': 1 })).toEqual({ [masked]: 1 });
  });
  test('are left where the names do not, or the values are too short to be secrets', () => {
    expect(mask('cd /home/me/project && echo 1 /home/someone')).toBe('cd /home/me/project && echo 1 /home/someone');
  });
});

describe('masking', () => {
  test('changes nothing it was given and keeps the shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        const out = plain(value);
        expect(JSON.stringify(value)).toBe(before);
        expect(Array.isArray(out)).toBe(Array.isArray(value));
        expect(typeof out).toBe(typeof value);
      }),
    );
  });
  test('keeps a key `__proto__` a key', () => {
    const out = plain(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.hasOwn(out, '__proto__')).toBe(true);
    expect((out as { polluted?: boolean }).polluted).toBeUndefined();
  });
  test('bounds what is recorded, in length, number and depth', () => {
    let deep: unknown = 'x';
    for (let n = 0; n < 5000; n++) deep = [deep];
    const huge = {
      long: 'y'.repeat(1_000_000),
      many: Array.from({ length: 100_000 }, (_, n) => n),
      deep,
      texts: Array.from({ length: 500 }, () => 'z'.repeat(10_000)),
    };
    const out = JSON.stringify(plain(huge));
    expect(out.length).toBeLessThan(600_000);
    expect(out).toContain('[cut: 1000000 characters]');
  });
  test('never shows the first half of a secret that the cut goes through', () => {
    const secret = make('ghp_', 36);
    const known = createMask({ secrets: ['open sesame, mountain '.repeat(300)] });
    for (let at = 16_340; at < 16_400; at++)
      expect(text('.'.repeat(at) + secret + '.'.repeat(9000))).not.toContain('ghp_');
    for (const at of [16_000, 16_383, 20_000, 22_000]) {
      expect(known('.'.repeat(at) + 'open sesame, mountain '.repeat(300) + '.'.repeat(9000))).not.toContain('sesame');
    }
    // Many secrets in front make the text shorter, so that what stood far behind moves up.
    for (let n = 0; n < 41; n++) expect(text('.'.repeat(n) + `${secret} `.repeat(600))).not.toContain('ghp_');
  });
  test('keeps as much of a long text as it may', () => {
    expect(text('y'.repeat(100_000))).toBe(`${'y'.repeat(16_384)}… [cut: 100000 characters]`);
  });
});
