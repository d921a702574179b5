import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { eventually, newMessage, newSender, startIntake } from '../../../test/scraping/intake.js';
import type { DeadMessage } from '../../platform/broker/dead-messages.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import { scrapeJobs } from './scrape-jobs.table.js';

const given = testDatabase();
const broker = rabbitmqUrl();
const shortLivedBroker = rabbitmqUrl();

beforeEach(async () => {
  await given.database.db.delete(scrapeJobs);
  await given.database.db.delete(deadLetters);
});

async function ready(config = {}, rabbitmqUrl = broker) {
  const intake = await startIntake({ databaseUrl: given.url, rabbitmqUrl }, config);
  return { ...intake, ...newSender(rabbitmqUrl) };
}

const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const withoutUser = () => ({ ...newMessage(), user_id: undefined });

const BREACHES: [name: string, body: () => unknown, reason: string][] = [
  ['no JSON', () => Buffer.from('{"job_id": '), 'message: not JSON'],
  ['no text', () => Buffer.from([0xff, 0x00, 0xfe]), 'message: not JSON'],
  ['nothing', () => Buffer.alloc(0), 'message: not JSON'],
  ['no object', () => Buffer.from('[1, 2]'), 'message: '],
  ['a missing field', withoutUser, 'user_id: '],
  ['an unknown source type', () => newMessage({ source_types: ['web', 'myspace'] }), 'source_types.1: "myspace"'],
  ['another version', () => newMessage({ schema_version: 2 }), 'schema_version: version 2 is not supported'],
  ['no criteria', () => ({ job_id: 'x', user_id: 'u', source_types: ['web'] }), 'search_query: no criteria'],
  ['10,000 keywords', () => newMessage({ keywords: Array(10_000).fill('organic bread') }), 'keywords: '],
  ['a user that no header could name', () => newMessage({ user_id: 'Zoë Q' }), 'user_id: up to 128 letters'],
  ['characters that cannot be stored', () => newMessage({ job_id: 'a\0b' }), 'job_id: holds NUL'],
  ['a bottomless filter', () => newMessage({ filters: { a: JSON.parse(String(nested(500))) } }), 'filters: '],
  ['a bottomless body', () => nested(50_000), 'message: '],
  ['2 MB', () => newMessage({ industry: 'x'.repeat(2_000_000) }), 'message: 2000'],
];

describe('a message that is no scrape job', () => {
  it.each(BREACHES)(
    'becomes a dead letter that names the field, and the intake goes on: %s',
    async (_, body, reason) => {
      const { send, letterAbout, letters, jobs } = await ready();
      const good = newMessage();
      await send(body());
      await send(good);
      expect(await letterAbout(reason)).toMatchObject({ queue: 'failed_jobs', jobName: 'scrape_jobs', attempts: 1 });
      await eventually(async () => expect(await jobs('acme-7')).toMatchObject([{ id: good.job_id }]));
      expect(await letters()).toHaveLength(1);
    },
  );

  it('is kept with its body and the headers that can be read', async () => {
    const { send, letterAbout } = await ready();
    const body = { ...newMessage(), source_types: [] };
    const headers = {
      tenant: 'acme',
      'x-death': 'yesterday',
      'x-millrace-reason': 7,
      CC: ['scrape_jobs'],
      deep: { a: [1] },
    };
    await send(body, {
      headers,
      messageId: 'm-1',
      correlationId: 'c-1',
      replyTo: 'amq.rabbitmq.nobody',
      expiration: '60000',
    });
    expect((await letterAbout('source_types: ')).payload).toMatchObject({
      encoding: 'json',
      body,
      truncated: false,
      headers: { tenant: 'acme' },
      contentType: 'application/json',
      messageId: 'm-1',
      correlationId: 'c-1',
    });
  });

  it('is one letter however often it comes', async () => {
    const { send, letters, waiting } = await ready({ scrapePrefetch: 10 });
    const body = newMessage({ source_types: ['myspace'] });
    await Promise.all(Array.from({ length: 20 }, () => send(body)));
    await send(newMessage({ source_types: ['friendster'] }));
    await eventually(async () => expect(await letters()).toHaveLength(2));
    await eventually(async () => expect(await waiting('failed_jobs')).toBe(0));
    expect(await letters()).toHaveLength(2);
  });

  it('that waits longer than allowed is one, too, with its reason', async () => {
    const config = { scrapeMessageTtlMs: 200 };
    const first = await ready(config, shortLivedBroker);
    await first.stop();
    const message = newMessage();
    await first.send(message);
    await eventually(async () => expect(await first.waiting('failed_jobs')).toBe(1));
    const { letterAbout } = await ready(config, shortLivedBroker);
    const letter = await letterAbout('nobody took it from the queue scrape_jobs in time');
    expect(letter).toMatchObject({ jobName: 'scrape_jobs', payload: { body: message, routingKey: 'scrape_jobs' } });
  });
});

describe('replaying such a message', () => {
  it('makes a job of it once the reason is gone', async () => {
    const first = await ready();
    const message = newMessage({ source_types: ['myspace'] });
    await first.send(message);
    const letter = await first.letterAbout('myspace');
    await first.stop();

    const second = await ready({ remoteScrapers: ['myspace'] });
    expect(await second.ask('POST', `/dead-letters/${letter.id}/replay`)).toMatchObject({ status: 202 });
    await eventually(async () => expect(await second.jobs('acme-7')).toMatchObject([{ id: message.job_id }]));
    expect(await second.letters()).toEqual([]);
    expect(await second.letters('state=replayed')).toMatchObject([{ id: letter.id }]);
  });

  it.each([
    ['JSON', Buffer.from('{ "user_id": 1, "source_types": [ "web" ], "keywords": ["a"] }')],
    ['text', Buffer.from('job please')],
    ['bytes', Buffer.from([0xff, 0x00, 0xfe])],
  ])('links the next letter back if it fails again: %s', async (_, body) => {
    const { send, ask, letterAbout, letters } = await ready();
    await send(body);
    const first = await letterAbout(': ');
    await ask('POST', `/dead-letters/${first.id}/replay`);
    const second = await letterAbout(': ');
    expect(second).toMatchObject({
      reason: first.reason,
      payload: { body: (first.payload as DeadMessage).body },
      links: { replayOf: first.links.self },
    });
    expect(await letters()).toHaveLength(1);
  });

  it('is given up when only a part of it was kept', async () => {
    const { send, ask, letterAbout } = await ready();
    await send(newMessage({ industry: 'x'.repeat(300_000) }));
    const letter = await letterAbout('industry: ');
    expect((letter.payload as DeadMessage).truncated).toBe(true);
    await ask('POST', `/dead-letters/${letter.id}/replay`);
    expect(await letterAbout('only the beginning of its 300')).toMatchObject({
      links: { replayOf: letter.links.self },
    });
  });

  it('does not happen to one that was discarded', async () => {
    const { send, ask, letterAbout, letters } = await ready();
    await send(newMessage({ source_types: [] }));
    const { id } = await letterAbout('source_types: ');
    expect(await ask('POST', `/dead-letters/${id}/discard`)).toMatchObject({
      status: 200,
      body: { state: 'discarded' },
    });
    expect(await letters()).toEqual([]);
    expect(await ask('POST', `/dead-letters/${id}/replay`)).toMatchObject({ status: 409 });
  });
});
