import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadClientConfig, loadConfig, parseConfig } from './config.js';
import { FIELDS } from './config-fields.js';

/** The secrets that can be wrong: a text of any form is accepted as a key of another service. */
const SECRETS = FIELDS.filter(({ secret, type }) => secret && type.expected !== 'any text').map(({ name }) => name);

describe('configuration', () => {
  it('runs every role on its own servers when nothing is set', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, databaseUrl: undefined, redisUrl: undefined });
    expect([...config.roles]).toEqual(['api', 'scheduler', 'worker']);
  });

  it('reports all errors at once, each with the variable, the value and what is expected', () => {
    const load = () => parseConfig({ PORT: 'abc', MILLRACE_ROLES: 'api,cook', MILLRACE_LOG_LEVEL: 'loud' });
    expect(load).toThrow(
      [
        'The configuration has 3 errors:',
        '  PORT: got "abc", expected a whole number from 0 to 65535',
        '  MILLRACE_ROLES: got "api,cook", expected a comma-separated list of api, scheduler, worker',
        '  MILLRACE_LOG_LEVEL: got "loud", expected one of fatal, error, warn, info, debug, trace, silent',
      ].join('\n'),
    );
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '1.5'],
    ['MILLRACE_ROLES', ','],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['REDIS_URL', 'localhost:6379'],
    ['MILLRACE_ADMIN_KEY', 'short'],
    ['MILLRACE_ADMIN_KEY', 'correct horse battery staple again'],
    ['MILLRACE_ADMIN_KEY', 'schlüssel-schlüssel-schlüssel'],
    ['MILLRACE_ADMIN_KEY', 'k'.repeat(501)],
    ['MILLRACE_TRUST_PROXIES', 'loopback'],
    ['MILLRACE_TRUST_PROXIES', '10.0.0.0/8,0.0.0.0/0'],
    ['MILLRACE_ALLOW_NETWORKS', '10.0.0.0/33'],
    ['MILLRACE_ALLOW_NETWORKS', 'localhost'],
    ['MILLRACE_ACTIVE_WINDOW', 'a day'],
    ['MILLRACE_ACTIVE_WINDOW', '24 hours'],
    ['MILLRACE_MIN_INTERVAL', '0'],
    ['MILLRACE_CACHE_TTL', '25h'],
    ['MILLRACE_POLICY', 'random'],
    ['MILLRACE_ALERT_ERRORS', '101%'],
    ['MILLRACE_ALERT_ERRORS', '%'],
    ['MILLRACE_ALERT_ERRORS', '5 percent'],
    ['MILLRACE_SWEEP', '99ms'],
    ['MILLRACE_SWEEP_MS', '99'],
    ['MILLRACE_SWEEP_MS', '1s'],
    ['MILLRACE_HOST_LIMITS', 'example.org'],
    ['MILLRACE_USER_LIMITS', 'facebook=0/1h'],
    ['MILLRACE_RESTORED', 'yesterday'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => parseConfig({ [name]: value })).toThrow(new RegExp(`an error:\\n  ${name}: got `));
  });

  it.each(SECRETS)('shows no wrong value of %s, which may hold a secret', (name) => {
    expect(() => parseConfig({ [name]: 'hunter2' })).toThrow(/got \(hidden\)/);
    expect(() => parseConfig({ [name]: 'hunter2' })).not.toThrow(/hunter2/);
  });

  it('requires the address and the secret of the alert webhook together', () => {
    const [address, secret] = [
      { MILLRACE_ALERT_WEBHOOK: 'https://x.example/' },
      { MILLRACE_ALERT_SECRET: 'x'.repeat(16) },
    ];
    expect(parseConfig({ ...address, ...secret })).toMatchObject({ alertWebhook: 'https://x.example/' });
    expect(() => parseConfig(address)).toThrow(
      /MILLRACE_ALERT_SECRET: got nothing, expected at least 16 characters, because MILLRACE_ALERT_WEBHOOK is set/,
    );
    expect(() => parseConfig(secret)).toThrow(/MILLRACE_ALERT_WEBHOOK: got nothing/);
  });

  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['1500ms', 1_500],
    ['5m', 300_000],
    ['24h', 86_400_000],
  ])('reads the duration %s', (text, ms) => {
    expect(parseConfig({ MILLRACE_CACHE_TTL: text }).cacheTtlMs).toBe(ms);
  });

  it('reads an empty value as one that is not set', () => {
    expect(parseConfig({ PORT: '', REDIS_URL: '' })).toMatchObject({
      port: 3000,
      portGiven: false,
      redisUrl: undefined,
    });
  });

  it('writes web addresses as they go into headers', () => {
    const given = { MILLRACE_CONTACT_URL: 'https://пример.рф/о нас', MILLRACE_PUBLIC_URL: 'https://BÜCHER.example' };
    expect(parseConfig(given)).toMatchObject({
      contactUrl: 'https://xn--e1afmkfd.xn--p1ai/%D0%BE%20%D0%BD%D0%B0%D1%81',
      publicUrl: 'https://xn--bcher-kva.example/',
    });
  });

  it('reads .env, and the environment wins', async () => {
    const file = await envFile('PORT=4000\nHOST=0.0.0.0\n');
    expect(loadConfig({ PORT: '5000' }, file)).toMatchObject({ port: 5000, host: '0.0.0.0' });
  });

  it('finds Millrace for the command line although other variables are wrong', () => {
    const variables = { PORT: '4000', MILLRACE_URL: 'http://a.example', MILLRACE_KEY: 'k', MILLRACE_POLICY: 'random' };
    expect(loadClientConfig(variables, 'no-such-file')).toMatchObject({
      port: 4000,
      url: 'http://a.example/',
      key: 'k',
    });
    expect(() => loadClientConfig({ PORT: 'abc' }, 'no-such-file')).toThrow(/PORT: got "abc"/);
  });
});

it.each(['80', '80%', ' 80 % '])('reads the percentage %j', (given) => {
  expect(parseConfig({ MILLRACE_ALERT_WORKERS: given }).alerts.workersPercent).toBe(80);
});

const ALIASES = FIELDS.flatMap(({ name, alias, key }) => (alias ? [{ name, alias, key }] : []));

describe('old names', () => {
  it('exist for the variables that took milliseconds', () => {
    expect(ALIASES.map(({ alias }) => alias).toSorted()).toEqual([
      'MILLRACE_CANARY_MS',
      'MILLRACE_DRAIN_MS',
      'MILLRACE_IMPORT_FLUSH_MS',
      'MILLRACE_JOB_LOCK_MS',
      'MILLRACE_PUBLISH_CALL_MS',
      'MILLRACE_RECALC_MS',
      'MILLRACE_SHUTDOWN_MS',
      'MILLRACE_SWEEP_MS',
    ]);
  });

  it.each(ALIASES)('$alias takes milliseconds, $name a duration', ({ name, alias, key }) => {
    expect(parseConfig({ [alias]: '7000' })).toHaveProperty(key, 7_000);
    expect(parseConfig({ [name]: '7s' })).toEqual(parseConfig({ [alias]: '7000' }));
  });

  it('may stand beside the new one with the same value, and not with another', () => {
    expect(parseConfig({ MILLRACE_SWEEP: '2s', MILLRACE_SWEEP_MS: '2000' }).sweepMs).toBe(2_000);
    expect(parseConfig({ MILLRACE_SWEEP: '', MILLRACE_SWEEP_MS: '2000' }).sweepMs).toBe(2_000);
    expect(() => parseConfig({ MILLRACE_SWEEP: '2s', MILLRACE_SWEEP_MS: '3000' })).toThrow(
      '  MILLRACE_SWEEP_MS: got "3000", expected the same as MILLRACE_SWEEP, or only one of the two',
    );
  });

  it('in the environment win over new ones in .env, and the other way round', async () => {
    const file = await envFile('MILLRACE_SWEEP=1s\nMILLRACE_DRAIN_MS=1000\n');
    expect(loadConfig({ MILLRACE_SWEEP_MS: '2000', MILLRACE_DRAIN: '2s' }, file)).toMatchObject({
      sweepMs: 2_000,
      drainMs: 2_000,
    });
    expect(loadConfig({}, file)).toMatchObject({ sweepMs: 1_000, drainMs: 1_000 });
  });

  it('name themselves and milliseconds in errors', () => {
    expect(() => parseConfig({ MILLRACE_SHUTDOWN_MS: 'soon' })).toThrow(
      '  MILLRACE_SHUTDOWN_MS: got "soon", expected a whole number of milliseconds from 0 to 3600000',
    );
  });
});

async function envFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-env-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, '.env');
  await writeFile(file, text);
  return file;
}
