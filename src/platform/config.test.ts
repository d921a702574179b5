import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Environment, loadConfig, parseConfig } from './config.js';

describe('configuration', () => {
  it('runs every role on its own servers when nothing is set', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, databaseUrl: undefined, redisUrl: undefined });
    expect([...config.roles]).toEqual(['api', 'scheduler', 'worker']);
  });

  it('reports every mistake at once, naming variable, value and what is accepted', () => {
    const mistakes = () => parseConfig({ PORT: 'abc', MILLRACE_ROLES: 'api,cook', MILLRACE_LOG_LEVEL: 'loud' });
    expect(mistakes).toThrow(/3 mistakes/);
    expect(mistakes).toThrow(/PORT: got "abc", accepted is a whole number from 0 to 65535/);
    expect(mistakes).toThrow(/MILLRACE_ROLES: got "api,cook", accepted is a comma-separated list of api, scheduler/);
    expect(mistakes).toThrow(/MILLRACE_LOG_LEVEL: got "loud", accepted is .*"warn"/);
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
  ])('refuses %s=%s', (name, value) => {
    expect(() => parseConfig({ [name]: value })).toThrow(new RegExp(`a mistake:\\n  ${name}: got `));
  });

  it.each(['MILLRACE_ADMIN_KEY', 'DATABASE_URL', 'REDIS_URL'])(
    'shows no wrong value of %s, which may hold a secret',
    (name) => {
      expect(() => parseConfig({ [name]: 'hunter2' })).toThrow(/got \(hidden\)/);
      expect(() => parseConfig({ [name]: 'hunter2' })).not.toThrow(/hunter2/);
    },
  );

  it('wants the address and the secret of the alert webhook together', () => {
    const [address, secret] = [
      { MILLRACE_ALERT_WEBHOOK: 'https://x.example/' },
      { MILLRACE_ALERT_SECRET: 'x'.repeat(16) },
    ];
    expect(parseConfig({ ...address, ...secret })).toMatchObject({ alertWebhook: 'https://x.example/' });
    expect(() => parseConfig(address)).toThrow(
      /MILLRACE_ALERT_SECRET: got nothing, accepted is at least 16 characters/,
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

  it('takes an empty value for one that is not set', () => {
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
    const folder = await mkdtemp(join(tmpdir(), 'millrace-env-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, '.env');
    await writeFile(file, 'PORT=4000\nHOST=0.0.0.0\n');
    expect(loadConfig({ PORT: '5000' }, file)).toMatchObject({ port: 5000, host: '0.0.0.0' });
  });

  it('is listed in .env.example, with the very defaults', async () => {
    const example = parseEnv(await readFile('.env.example', 'utf8'));
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
    expect(parseConfig(example)).toEqual({ ...parseConfig({}), portGiven: true });
  });
});
