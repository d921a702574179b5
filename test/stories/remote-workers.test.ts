import { describe, expect, it } from 'vitest';
import { Broker } from '../../src/platform/broker/broker.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import type { Config } from '../../src/platform/config.js';
import { testDatabase } from '../harness/database.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { startReader } from '../harness/reader.js';
import { failing } from '../workers/made-answers.js';
import { TestWorker } from '../workers/test-worker.js';

const WAIT_OPTIONS = { timeout: 60_000, interval: 250 };

describe('sources that a worker fetches', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();
  let types = 0;

  async function start(config: Partial<Config> = {}) {
    const type = `story-${++types}`;
    const reader = await startReader(db.url, { rabbitmqUrl: rabbitmq, remoteTypes: [type], ...config });
    const ann = reader.as('ann');
    const follow = async (externalId: string): Promise<string> =>
      (await ann.send('POST', '/sources/follow', { type, externalId })).body.id;
    const letters = async (queue: string) =>
      (
        await reader.send({ url: `/api/v1/dead-letters?queue=${queue}&state=open`, key: reader.config.adminKey ?? '' })
      ).json().items;
    const work = (answer?: Parameters<typeof TestWorker.on>[2]) => TestWorker.on(rabbitmq, `fetch.${type}`, answer);
    return { ann, follow, letters, reader, type, work };
  }

  it('say so while there is none, and recover by themselves when one starts', async () => {
    const { ann, follow, type, work } = await start();
    const ids = await Promise.all(['a', 'b', 'c'].map(follow));
    const errors = async () => Promise.all(ids.map(async (id) => (await ann.source(id)).lastError));
    await expect.poll(errors, WAIT_OPTIONS).toEqual(ids.map(() => `no worker answers for ${type}`));
    expect(await ann.source(ids[0] ?? '')).toMatchObject({
      state: 'active',
      consecutiveFailures: 0,
      lastFetchAt: null,
    });
    const { body } = await ann.send('GET', `/sources/${ids[0]}/schedule`);
    expect(body.because).toContainEqual(expect.stringContaining(`no worker answers for ${type}`));

    await work();
    await expect.poll(errors, WAIT_OPTIONS).toEqual([null, null, null]);
    await expect
      .poll(async () => (await ann.titles()).toSorted(), WAIT_OPTIONS)
      .toEqual(['Post a-1', 'Post b-1', 'Post c-1']);
  });

  it('are tried again by the queue alone, three times, and then by their schedule', async () => {
    const { ann, follow, letters, work } = await start();
    const worker = await work((command) => failing(command, { code: 'NETWORK_ERROR', message: 'the site is down' }));
    const id = await follow('a');
    await expect.poll(async () => (await ann.source(id)).lastError, WAIT_OPTIONS).toBe('the site is down');
    expect(worker.commands).toHaveLength(3);
    expect(new Set(worker.commands.map(({ jobId }) => jobId)).size).toBe(3);
    expect(await ann.source(id)).toMatchObject({ consecutiveFailures: 1 });
    expect(await letters('fetch.dlq')).toEqual([]);
  });

  it('have commands that died in their queue among the dead letters, where a replay fetches the source', async () => {
    const { ann, follow, letters, reader, type, work } = await start();
    await work();
    const id = await follow('a');
    await expect.poll(async () => (await ann.source(id)).lastSuccessAt, WAIT_OPTIONS).toBeTruthy();
    const first = (await ann.source(id)).lastSuccessAt;
    await reader.app.get(Declarations).declareAll();
    const expired = { exchange: reader.config.rabbitmqExchange, routingKey: 'fetch.rss', expiration: '1' };
    const command = {
      jobId: 'old',
      sourceId: id,
      sourceType: type,
      externalId: 'a',
      params: { cursor: '12345678901234567890' },
      timestamp: '2026-01-01T00:00:00Z',
    };
    await reader.app.get(Broker).publish(expired, command);
    await reader.app.get(Broker).publish(expired, { ...command, jobId: 'older' });

    await expect
      .poll(() => letters('fetch.dlq'), WAIT_OPTIONS)
      .toMatchObject([
        {
          queue: 'fetch.dlq',
          jobName: 'fetch.rss',
          reason: 'nobody took it from the queue fetch.rss in time',
          state: 'open',
        },
      ]);
    const [letter] = await letters('fetch.dlq');
    reader.clock.advance(60_000);
    const key = reader.config.adminKey ?? '';
    const replay = await reader.send({ method: 'POST', url: `/api/v1/dead-letters/${letter.id}/replay`, key });
    expect(replay.statusCode).toBe(202);
    await expect.poll(async () => (await ann.source(id)).lastSuccessAt, WAIT_OPTIONS).not.toBe(first);
    expect(await letters('fetch.dlq')).toEqual([]);
  });

  it('are given back by a Millrace that stops, and fetched by the next one', async () => {
    const { follow, reader, type, work } = await start({ shutdownMs: 100 });
    const silent = await work(() => new Promise(() => undefined));
    const id = await follow('a');
    await expect.poll(() => silent.commands.length, WAIT_OPTIONS).toBe(1);
    await reader.stop();
    expect(reader.lines).toContainEqual(expect.objectContaining({ job: `fetch-${type}`, outcome: 'given-back' }));
    await silent.stop();
    await work();
    const next = await startReader(db.url, { rabbitmqUrl: rabbitmq, remoteTypes: [type] });
    await expect.poll(async () => (await next.as('ann').source(id)).lastSuccessAt, WAIT_OPTIONS).toBeTruthy();
  });
});
