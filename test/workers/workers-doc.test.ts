import { readFileSync } from 'node:fs';
import { AMQPChannelError } from 'rabbitmq-client';
import { describe, expect, it } from 'vitest';
import { PROBES } from '../../src/cli/conform/probes.js';
import { isRetryable, RemoteErrorCode } from '../../src/contracts/remote-error.js';
import { commandTopology, intakeTopology } from '../../src/contracts/topology.js';
import { breaches } from '../../src/platform/broker/breaches.js';
import { whyRefused } from '../../src/platform/broker/declarations.js';
import { parseConfig } from '../../src/platform/config.js';
import { PUBLISHED, type Published } from '../../tools/render-contracts.js';
import { ROOT } from './worker-program.js';

const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8');
const text = read('docs/workers.md');

/** Blocks of code that say what they are: a contract, or a file. */
const blocks = [...text.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language, name = '', code = '']) => ({
  language,
  name,
  code,
}));
const messages = blocks.filter(({ language }) => language === 'json');
const files = blocks.filter(({ language }) => language !== 'json');

describe('docs/workers.md', () => {
  it('has an example of every message', () => {
    expect(new Set(messages.map(({ name }) => name))).toEqual(new Set(Object.keys(PUBLISHED)));
  });

  it.each(messages)('shows a $name that keeps the contract', ({ name, code }) => {
    const { error } = PUBLISHED[name as Published].schema.safeParse(JSON.parse(code));
    expect(error && breaches(error)).toBeUndefined();
  });

  it.each(files)('shows $name as it is', ({ name, code }) => {
    expect(code).toBe(read(name));
  });

  it('shows every example', () => {
    expect(files.map(({ name }) => name)).toEqual([
      'docs/examples/diary_worker.py',
      'docs/examples/node-worker.mjs',
      'docs/examples/send_scrape_job.py',
      'docs/examples/scraper_worker.py',
    ]);
  });

  it('names only variables that Millrace or the Python workers read', () => {
    const sources = ['instagram.py', 'browser.py', 'twitter.py'].map((file) =>
      read(`workers/python/millrace_worker/fetchers/${file}`),
    );
    const known = [read('.env.example'), ...sources].join('\n');
    const named = new Set(text.match(/\bMILLRACE_[A-Z_]+\b/g));
    expect(named).toContain('MILLRACE_TWITTER_BEARER_TOKEN');
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('tells of every code what becomes of it', () => {
    const told = [...text.matchAll(/^\| `([A-Z_]+)` \| .* \| (.*) \|$/gm)].map(([, code = '', fate = '']) => [
      code,
      fate,
    ]);
    const codes = told.filter(([code]) => RemoteErrorCode.safeParse(code).success);
    expect(codes.map(([code]) => code).sort()).toEqual([...RemoteErrorCode.options].sort());
    const retried = codes.filter(([, fate]) => fate === 'tries again').map(([code]) => code);
    const error = { message: '', details: undefined, retryable: undefined };
    expect(retried.sort()).toEqual(RemoteErrorCode.options.filter((code) => isRetryable({ ...error, code })).sort());
  });

  it.each([
    ['`fetch.<type>`', 'fetch.instagram'],
    ['`scrape.<type>`', 'scrape.web'],
    ['`fetch.dlq`', 'fetch.dlq'],
    ['`scrape_jobs`', 'scrape_jobs'],
    ['`scrape_results`', 'scrape_results'],
    ['`failed_jobs`', 'failed_jobs'],
  ])('tells the exchange and arguments of %s', (written, queue) => {
    const config = parseConfig({ MILLRACE_REMOTE_SCRAPERS: 'web', MILLRACE_SCRAPE_INTAKE: 'off' });
    const plans = [...commandTopology(config).queues, ...intakeTopology(config).queues];
    const plan = plans.find(({ name }) => name === queue);
    const row = text.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(written));
    expect(row).toContain(`\`${plan?.exchange}\``);
    for (const [name, value] of Object.entries(plan?.arguments ?? {})) expect(row).toContain(`\`${name}\` ${value}`);
  });

  it('lists the probes of millrace conform', () => {
    const [, shown = ''] = /^probe +result +details\n([\s\S]*?)\n\n/m.exec(text) ?? [];
    expect(shown.split('\n').map((line) => line.split(' ')[0])).toEqual(PROBES.map(({ name }) => name));
  });

  it('shows what Millrace says of a queue that exists with other arguments', () => {
    const message = refusal('fetch.instagram', 'x-queue-type');
    const error = Object.assign(new AMQPChannelError(), { code: 'PRECONDITION_FAILED', message });
    const [shown = ''] = /^the queue fetch\.instagram exists .*$/m.exec(text) ?? [];
    expect(whyRefused(error, 'fetch.instagram')?.message).toContain(shown.replace(/ …$/, ''));
    expect(shown).not.toBe('');
  });
});

const refusal = (queue: string, argument: string) =>
  `inequivalent arg '${argument}' for queue '${queue}' in vhost '/': ` +
  `received the value 'quorum' of type 'longstr' but current is the value 'classic' of type 'longstr'`;
