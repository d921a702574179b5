import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runningMillrace } from '../../test/cli/running-millrace.js';
import { startSite } from '../../test/harness/site.js';
import { startWebhook } from '../../test/publishing/publisher.js';

const millrace = runningMillrace();
const json = async (...args: string[]) => JSON.parse((await millrace.run([...args, '--json'])).out);

/** Accounts are made through the API: their credentials do not belong on a command line. */
async function newAccount(name: string): Promise<Awaited<ReturnType<typeof startWebhook>>> {
  const webhook = await startWebhook();
  const headers = { authorization: `Bearer ${millrace.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name, ...webhook.given });
  const { status } = await fetch(`${millrace.url}/api/v1/accounts`, { method: 'POST', headers, body });
  expect(status).toBe(201);
  return webhook;
}

describe('publish', () => {
  it('publishes on an account given by its name, and waits until it is out', async () => {
    const { fake } = await newAccount('Hook');
    const { code, out } = await millrace.run(['publish', '--account', 'hook', '--text', '-', '--watch'], {
      input: 'Hello\n',
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^ID +STATUS .*\n +\d+ +published .* webhook +Hello /);
    expect(fake.posts.map(({ text }) => text)).toEqual(['Hello']);
  });

  it('keeps a wall-clock time with its zone, lists and shows it, and cancels it', async () => {
    await newAccount('Later');
    const when = ['--at', '2027-03-28 02:30', '--timezone', 'Europe/Berlin'];
    const made = await json('publish', '--account', 'webhook/later', '--text', 'Good morning', ...when);
    expect(made).toMatchObject({
      status: 'scheduled',
      localTime: '2027-03-28T03:30',
      scheduledAt: '2027-03-28T01:30:00.000Z',
    });
    const { err } = await millrace.run(['publish', '--account', 'webhook/later', '--text', 'Once more', ...when]);
    expect(err).toContain('2027-03-28T02:30 does not exist in Europe/Berlin');
    expect((await millrace.run(['publish', 'list', '--status', 'scheduled'])).out).toContain('Good morning');
    expect((await millrace.run(['publish', 'show', made.id])).out).toContain('(2027-03-28T03:30 in Europe/Berlin)');
    expect((await millrace.run(['publish', 'cancel', made.id])).out).toContain('cancelled');
  });

  it('publishes once, however often the same key is sent', async () => {
    await newAccount('Once');
    const wanted = [
      'publish',
      '--account',
      'once',
      '--text',
      'x',
      '--at',
      '2027-01-01T00:00:00Z',
      '--idempotency-key',
      'k',
    ];
    expect((await json(...wanted)).id).toBe((await json(...wanted)).id);
  });

  it('names the accounts that there are, and what the content lacks', async () => {
    await newAccount('Known');
    const { code, err } = await millrace.run(['publish', '--account', 'nobody', '--text', 'x']);
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringContaining('Unknown account `nobody`. Your accounts: '),
    });
    expect(err).toContain('webhook/Known');
    expect(await millrace.run(['publish', '--account', 'known'])).toMatchObject({ code: 2 });
  });

  it('lists platforms with what may still go out', async () => {
    expect((await millrace.run(['publish', 'platforms'])).out).toMatch(
      /^linkedin +20 of 20 per 1 d +20 of 20 per 1 d/m,
    );
  });
});

describe('scrape', () => {
  const COMPANY = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: 'Mill & Sons',
    email: 'a@mill.example',
  };

  it('searches, waits, and writes the leads as CSV', async () => {
    const site = await startSite((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<script type="application/ld+json">${JSON.stringify(COMPANY)}</script>`);
    });
    const folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'leads.csv');
    const sites = `sites=${JSON.stringify([site.url('/', '127.0.0.1')])}`;
    const { code, out, err } = await millrace.run(['scrape', '--type', 'web', '--filter', sites, '--csv', file]);
    expect(code, err).toBe(0);
    expect(out).toMatch(/status +completed\n(.*\n)*leads +1 found, 0 already known\n/);
    expect(await readFile(file, 'utf8')).toContain('Mill & Sons');
    const [{ id }] = (await json('scrape', 'list')).items;
    expect((await millrace.run(['scrape', 'leads', id])).out).toMatch(/Mill & Sons .* web /);
  });

  it('reports a missing source, and the error of the API for an unknown one', async () => {
    expect(await millrace.run(['scrape', '--industry', 'bakery'])).toMatchObject({ code: 2 });
    const { code, err } = await millrace.run(['scrape', '--industry', 'x', '--type', 'nowhere']);
    expect(code).toBe(4);
    expect(err).toContain('(validation_failed)');
  });
});

describe('dead letters, queues and health', () => {
  let nowhere: string;
  beforeAll(async () => {
    nowhere = 'http://127.0.0.1:2/none';
    await millrace.run(['import', nowhere, '--as', 'somebody']);
  });

  it('show what failed permanently, replay it and discard it', async () => {
    const { out } = await millrace.run(['dead-letters', '--queue', 'import-feed']);
    expect(out).toMatch(/^ID +STATE +QUEUE .*\n +\d+ +open +import-feed /);
    const [{ id }] = (await json('dead-letters')).items;
    expect((await millrace.run(['dead-letters', 'show', id])).out).toContain(nowhere);
    expect((await millrace.run(['dead-letters', 'replay'])).code).toBe(2);
    expect((await millrace.run(['dead-letters', 'replay', id])).out).toBe(`Replayed ${id}.\n`);
    expect(await millrace.run(['dead-letters', 'discard', id])).toMatchObject({
      code: 4,
      err: expect.stringContaining('(dead_letter_closed)'),
    });
    expect((await json('dead-letters', 'list', '--state', 'replayed')).items).toMatchObject([{ id }]);
  });

  it('are for administrators', async () => {
    const { code, err } = await millrace.run(['dead-letters', '--as', 'somebody']);
    expect(code).toBe(4);
    expect(err).toContain('(admin_required)\nUse an admin key without --as.');
  });

  it('pause and resume a queue', async () => {
    expect((await millrace.run(['queues', 'pause', 'import-item'])).out).toMatch(/^import-item +paused /m);
    expect((await millrace.run(['queues'])).out).toMatch(/^import-item +paused /m);
    expect((await millrace.run(['queues', 'resume', 'import-item'])).out).toMatch(/^import-item +running /m);
    expect((await millrace.run(['queues', 'clean', 'import-item'])).out).toMatch(
      /^Removed \d+ jobs from import-item\.\n$/,
    );
  });

  it('sets, shows and forgets the limit of a host', async () => {
    expect((await millrace.run(['hosts', 'limit', 'slow.example', '30'])).out).toMatch(/^requests per minute +30$/m);
    expect((await millrace.run(['hosts'])).out).toMatch(/^slow\.example +30 +0 +0 .*An administrator has set it\.$/m);
    expect((await millrace.run(['hosts', 'show', 'slow.example'])).out).toMatch(/^in the last minute +0$/m);
    expect((await millrace.run(['hosts', 'forget', 'slow.example'])).out).toMatch(
      /^Removed the limit of slow\.example\./,
    );
    expect((await millrace.run(['hosts', '--q', 'slow'])).out).toBe('No host has a limit or is closed.\n');
    expect(await millrace.run(['hosts', 'limit', 'slow.example', 'few'])).toMatchObject({ code: 2 });
    expect((await millrace.run(['hosts', 'limit', 'www.slow.example', '5'])).err).toContain('is part of slow.example');
  });

  it('list runs and why they failed', async () => {
    const failed = ['runs', '--queue', 'import-feed', '--outcome', 'failed,retried'];
    await expect.poll(async () => (await json(...failed)).items, { timeout: 15_000 }).not.toEqual([]);
    const { code, out } = await millrace.run(failed);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^STARTED +OUTCOME +RESULT +QUEUE .*\n.* (failed|retried) +failed +import-feed .* 127\.0\.0\.1/,
    );
    expect(await millrace.run(['runs', '--outcome', 'nonsense'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('(validation_failed)'),
    });
  });

  it('show the health of the system, also as exit code', async () => {
    const { code, out } = await millrace.run(['health']);
    const [, status] = /^Health: (\w+), as of /.exec(out) ?? [];
    expect({ healthy: 0, warning: 5, critical: 6 }).toHaveProperty(String(status), code);
    expect(out).toMatch(/^queues +\d+ waiting, \d+ active, \d+ delayed$/m);
    expect(await json('health')).toHaveProperty('stats.deadLetters.open');
  });
});
