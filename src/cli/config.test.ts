import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMillraceCommand } from '../../test/cli/run-millrace-command.js';
import { FIELDS } from '../platform/config-fields.js';
import { effectiveValues } from './config.command.js';

const NAMES = FIELDS.map(({ name }) => name);
const nothingSet = Object.fromEntries(NAMES.map((name) => [name, '']));
const config = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
  runMillraceCommand(['config', ...args], { environment: { ...nothingSet, ...environment } });
const shownValue = (name: string, environment: NodeJS.ProcessEnv) =>
  effectiveValues({ ...nothingSet, ...environment }).find((one) => one.name === name);

describe('millrace config', () => {
  it('shows every variable', async () => {
    const { code, out } = await config({}, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).items.map(({ name }: { name: string }) => name)).toEqual(NAMES);
  });

  it('shows values as they are written, and where they come from', async () => {
    const { out } = await config({ PORT: '4000', MILLRACE_CACHE_TTL: '90s' }, '--given');
    expect(out).toBe(
      'VARIABLE            FROM         VALUE\nPORT                environment  4000\nMILLRACE_CACHE_TTL  environment  90s\n',
    );
  });

  it.each([
    ['MILLRACE_CACHE_TTL', '5m'],
    ['MILLRACE_ACTIVE_WINDOW', '24h'],
    ['MILLRACE_ROLES', 'api,scheduler,worker'],
    ['MILLRACE_RECALC', '5m'],
    ['MILLRACE_ALERT_WORKERS', '80%'],
    ['MILLRACE_PLATFORM_LIMITS', null],
    ['REDIS_URL', null],
  ])('shows the default of %s as %s', (name, value) => {
    expect(shownValue(name, {})).toEqual({ name, value, source: 'default' });
  });

  it.each([
    ['MILLRACE_CACHE_TTL', '90', '90s'],
    ['MILLRACE_ALERT_WORKERS', '70', '70%'],
    ['MILLRACE_ALERT_WORKERS', '70%', '70%'],
  ])('shows %s=%s as %s', (name, given, value) => {
    expect(shownValue(name, { [name]: given })).toEqual({ name, value, source: 'environment' });
  });

  it('shows a value that was given under an old name as a duration, with that name', async () => {
    const { out } = await config({ MILLRACE_SWEEP_MS: '90000' }, '--given');
    expect(out).toBe(
      'VARIABLE        FROM                             VALUE\nMILLRACE_SWEEP  environment (MILLRACE_SWEEP_MS)  90s\n',
    );
    const alias = 'MILLRACE_SWEEP_MS';
    expect(shownValue('MILLRACE_SWEEP', { [alias]: '60000' })).toMatchObject({ value: '1m', alias });
  });

  it('shows variables of other programs where they gave a value, and says which are ignored', async () => {
    const given = { RABBITMQ_HOST: 'broker', RABBITMQ_PASSWORD: 'hunter2', PORT: '4000' };
    const { out } = await config({ ...given, WORKER_BATCH_SIZE: '50', MILLRACE_IMPORT_BATCH: '20' }, '--given');
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['VARIABLE', 'FROM', 'VALUE'],
      ['PORT', 'environment', '4000'],
      ['MILLRACE_IMPORT_BATCH', 'environment', '20'],
      ['RABBITMQ_URL', 'environment (RABBITMQ_HOST, RABBITMQ_PASSWORD)', 'amqp://***@broker:5672/%2F'],
      ['Ignored: WORKER_BATCH_SIZE, because MILLRACE_IMPORT_BATCH has another value.'],
      [''],
    ]);
    expect(shownValue('MILLRACE_IMPORT_RATE', { RATE_LIMIT_MAX: '30' })).toMatchObject({
      value: '30/1000ms',
      source: 'environment',
      alias: 'RATE_LIMIT_MAX',
    });
  });

  it('hides secrets, but shows the hosts of addresses', async () => {
    const secrets = {
      MILLRACE_KEY: 'hunter2',
      MILLRACE_ADMIN_KEY: 'hunter2'.repeat(4),
      MILLRACE_SECRET_KEYS: 'hunter2'.repeat(5),
      DATABASE_URL: 'postgres://me:hunter2@db:5432/millrace?password=hunter2',
    };
    const { code, out } = await config(secrets);
    expect(code).toBe(0);
    expect(out).not.toContain('hunter2');
    expect(shownValue('DATABASE_URL', secrets)?.value).toBe('postgres://***@db:5432/millrace?password=***');
    expect(shownValue('MILLRACE_KEY', secrets)?.value).toBe('(hidden)');
  });

  it('reports errors like a start', async () => {
    const { code, out, err } = await config({ PORT: 'abc', MILLRACE_ROLES: 'cook' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('The configuration has 2 errors:\n  PORT: got "abc", expected a whole number');
  });
});

it('shows which values come from .env', async () => {
  const file = await envFile('PORT=4000\nHOST=0.0.0.0\n');
  const values = effectiveValues({ PORT: '5000' }, file);
  expect(values.slice(0, 2)).toEqual([
    { name: 'HOST', value: '0.0.0.0', source: '.env' },
    { name: 'PORT', value: '5000', source: 'environment' },
  ]);
});

it('shows where each variable is whose value is made of several', async () => {
  const file = await envFile('RABBITMQ_PORT=5673\nRABBITMQ_USER=you\n');
  const values = effectiveValues({ RABBITMQ_HOST: 'broker', RABBITMQ_USER: 'me' }, file);
  expect(values.find(({ name }) => name === 'RABBITMQ_URL')).toEqual({
    name: 'RABBITMQ_URL',
    value: 'amqp://***@broker:5673/%2F',
    source: 'environment',
    alias: 'RABBITMQ_HOST, RABBITMQ_PORT, RABBITMQ_USER',
    variables: [
      { name: 'RABBITMQ_HOST', source: 'environment' },
      { name: 'RABBITMQ_PORT', source: '.env' },
      { name: 'RABBITMQ_USER', source: 'environment' },
    ],
  });
});

async function envFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-env-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, '.env');
  await writeFile(file, text);
  return file;
}
