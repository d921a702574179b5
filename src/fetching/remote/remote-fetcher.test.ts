import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../test/fetching/demand-parts.js';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { startReader } from '../../../test/harness/reader.js';
import { answering, failing, remotePost } from '../../../test/workers/made-answers.js';
import { type Answer, TestWorker } from '../../../test/workers/test-worker.js';
import { Broker } from '../../platform/broker/broker.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { queueInfo } from '../../platform/broker/declare.js';
import { Database } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { ReturnedWorkers } from './returned-workers.js';

const NESTED = '['.repeat(1_000_000) + ']'.repeat(1_000_000);

describe('a type that workers fetch', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();
  let types = 0;

  /** Creates a source of a separate type and the worker that answers for it. Jobs run only on request. */
  async function sourceWith(answer: Answer) {
    const type = `made-${++types}`;
    const config = { rabbitmqUrl: rabbitmq, remoteTypes: [type], roles: new Set(['api', 'scheduler'] as const) };
    const reader = await startReader(db.url, config);
    await reader.app.get(Declarations).declareAll();
    const worker = await TestWorker.on(rabbitmq, `fetch.${type}`, answer);
    const ann = reader.as('ann');
    const { status, body } = await ann.send('POST', '/sources/follow', { type, externalId: 'ada' });
    expect(status).toBe(202);
    const id: string = body.id;
    const engine = new WorkerProcess(reader);
    return {
      ann,
      id,
      reader,
      type,
      worker,
      engine,
      fetch: () => engine.fetch(id),
      source: () => ann.source(id),
      posts: async () => (await ann.send('GET', `/sources/${id}/posts`)).body.items,
      state: () => stateOf(reader.app.get(Database), id),
    };
  }

  const withPosts =
    (...posts: object[]): Answer =>
    (command) =>
      answering(command, { data: { posts, hasMore: false } });

  it('sends commands that a user waits for before those of the schedule', async () => {
    const { id, engine, reader, worker } = await sourceWith(withPosts());
    // Somebody has just followed it.
    await engine.run(id);
    const { db } = reader.app.get(Database);
    await db.update(fetchStates).set({ jobPriority: 7, jobOwner: null }).where(eq(fetchStates.id, id));
    await engine.fetch(id);
    expect(worker.messages.map(({ priority }) => priority)).toEqual([5, undefined]);
  });

  it('is followed, fetched and read like any other', async () => {
    const post = remotePost('p1', {
      content: 'Line <1>\n\nLine 2 https://example.org/x',
      contentFormat: 'text',
      url: 'https://example.org/p1',
      mediaUrls: ['https://example.org/p1.jpg'],
      metrics: { likes: 3, comments: null },
      title: null,
    });
    const { fetch, source, posts, worker, id, type } = await sourceWith(withPosts(post));
    await fetch();
    expect(await source()).toMatchObject({ type, state: 'active', lastError: null, title: 'Ada' });
    expect(await posts()).toMatchObject([
      {
        externalId: 'p1',
        title: null,
        url: 'https://example.org/p1',
        mediaUrls: ['https://example.org/p1.jpg'],
        publishedAt: '2026-01-01T00:00:00.000Z',
        author: { username: 'ada', displayName: 'Ada' },
        content: expect.stringMatching(/^<p>Line &#x3C;1><\/p><p>Line 2 <a href="https:\/\/example.org\/x"/),
      },
    ]);
    expect(worker.commands[0]).toMatchObject({
      schemaVersion: 1,
      sourceId: id,
      sourceType: type,
      externalId: 'ada',
      timeout: 300_000,
      params: { limit: 50 },
      jobId: worker.messages[0]?.correlationId,
    });
  });

  it.each<[string, Answer, object]>([
    ['posts', withPosts(remotePost('p1')), { outcome: 'success' }],
    [
      'an error',
      (command) => failing(command, { code: 'RATE_LIMITED', message: 'later' }),
      { outcome: 'error', code: 'RATE_LIMITED' },
    ],
    ['garbage', () => Buffer.from('{'), { outcome: 'contract_broken', reason: expect.stringContaining('message: ') }],
  ])('has its command in the log, and that it was answered with %s after how long', async (_, answer, outcome) => {
    const { fetch, id, reader, type, worker } = await sourceWith(answer);
    await fetch();
    const commandId = worker.messages[0]?.correlationId;
    const about = { level: 30, commandQueue: `fetch.${type}`, type, sourceId: id, timeoutMs: 300_000, commandId };
    expect(reader.lines.filter(({ event }) => String(event).startsWith('command_'))).toMatchObject([
      { event: 'command_published', ...about },
      { event: 'command_ended', ms: expect.any(Number), ...about, ...outcome },
    ]);
  });

  it('is walked from the newest post down to what is known, and then asked for what came since', async () => {
    const all = Array.from({ length: 9 }, (_, n) =>
      remotePost(`p${9 - n}`, { publishedAt: `2026-01-0${9 - n}T00:00:00Z` }),
    );
    let shown = all.slice(6);
    const { fetch, posts, worker } = await sourceWith((command) => {
      const from = Number(command.params.cursor ?? 0);
      const page = {
        posts: shown.slice(from, from + 2),
        hasMore: from + 2 < shown.length,
        nextCursor: String(from + 2),
      };
      return answering(command, { data: page });
    });
    await fetch();
    shown = all;
    await fetch();
    const ids = (await posts()).map(({ externalId }: { externalId: string }) => externalId);
    expect(ids).toEqual(all.map(({ externalId }) => externalId));
    const [first, second, third] = worker.commands.map(({ params }) => params);
    expect(first).toEqual({ limit: 50 });
    expect(second).toEqual({ limit: 50, since: '2026-01-02T23:00:00.000Z' });
    expect(third).toEqual({ limit: 50, cursor: '2' });
  });

  it('has no addresses but those of the web', async () => {
    const { fetch, posts } = await sourceWith(
      withPosts(
        remotePost('a', {
          url: 'javascript:alert(1)',
          mediaUrls: ['data:text/html,hi', 'https://example.org/a.jpg', '/b.jpg'],
          author: { username: 'ada', displayName: 'Ada', avatarUrl: 'file:///etc/passwd' },
        }),
      ),
    );
    await fetch();
    expect(await posts()).toMatchObject([{ url: null, mediaUrls: ['https://example.org/a.jpg'] }]);
    expect((await posts())[0].author).toEqual({ username: 'ada', displayName: 'Ada' });
  });

  it('is walked again from the top when the worker no longer accepts a cursor', async () => {
    const dated = (day: number) => remotePost(`p${day}`, { publishedAt: `2026-01-0${day}T00:00:00Z` });
    let refused = false;
    let shown = [dated(1)];
    const { fetch, posts, state } = await sourceWith((command) => {
      const { cursor } = command.params;
      if (cursor && refused) return failing(command, { code: 'INVALID_COMMAND', message: 'params.cursor: too old' });
      if (cursor && shown.length === 5 && Number(cursor) > 1)
        return failing(command, { code: 'RATE_LIMITED', message: 'later' });
      const from = Number(cursor ?? 0);
      const data = { posts: shown.slice(from, from + 1), hasMore: from + 1 < shown.length, nextCursor: `${from + 1}` };
      return answering(command, { data });
    });
    await fetch();
    shown = [5, 4, 3, 2, 1].map(dated);
    await fetch();
    expect(await state()).toMatchObject({ gaps: [{ cursor: '2' }], lastError: 'later' });
    refused = true;
    await fetch();
    expect((await state()).gaps).toContainEqual(expect.objectContaining({ cursor: '1' }));
    refused = false;
    shown = [6, 5, 4, 3, 2, 1].map(dated);
    await fetch();
    const ids = (await posts()).map(({ externalId }: { externalId: string }) => externalId);
    expect(ids).toEqual(['p6', 'p5', 'p4', 'p3', 'p2', 'p1']);
    expect((await state()).gaps).toEqual([]);
  });

  it.each<[string, Answer, RegExp]>([
    ['garbage', () => Buffer.from('\u0000garbage'), /^the worker for .* broke the contract: message: /],
    ['nothing', () => Buffer.alloc(0), /^the worker for .* broke the contract: message: /],
    [
      'a million brackets',
      (command) => Buffer.from(JSON.stringify(answering(command, { x: 0 })).replace('"x":0', `"x":${NESTED}`)),
      /^the worker for .* broke the contract: message: /,
    ],
    [
      'more posts without saying where',
      (command) => answering(command, { data: { posts: [remotePost('a')], hasMore: true } }),
      /data\.nextCursor: it is missing/,
    ],
    ['the id of another job', (command) => answering({ ...command, jobId: 'other' }), /jobId: it answers another job/],
    [
      'the id of another source',
      (command) => answering({ ...command, sourceId: '0' }),
      /sourceId: it answers for another/,
    ],
    [
      'a post without an id',
      withPosts(remotePost('a'), { ...remotePost('b'), externalId: undefined }),
      /data\.posts\.1\.externalId: /,
    ],
    ['a post without a time', withPosts({ ...remotePost('a'), publishedAt: 'today' }), /data\.posts\.0\.publishedAt: /],
    [
      'another version',
      (command) => answering(command, { schemaVersion: 2 }),
      /schemaVersion: version 2 is not supported/,
    ],
    ['50 MB', () => Buffer.alloc(50 * 1024 * 1024, '['), /broke the contract: the answer has 50\.0 MB/],
    ['an error without a code', (command) => failing(command, {}), /error\.code: /],
  ])('makes %s one clear error on the source, and stores nothing', async (_, answer, error) => {
    const { fetch, source, posts, worker } = await sourceWith(answer);
    await fetch();
    expect(await source()).toMatchObject({
      state: 'active',
      lastError: expect.stringMatching(error),
      consecutiveFailures: 1,
    });
    expect(await posts()).toEqual([]);
    expect(worker.messages).toHaveLength(1);
  });

  it('leaves temporary errors to the queue, and the rest to the schedule', async () => {
    const codes = ['NETWORK_ERROR', 'TIMEOUT_ERROR', 'UNKNOWN_ERROR', 'AUTH_ERROR', 'PRIVATE_PROFILE', 'NOT_FOUND'];
    for (const code of [...codes, 'RATE_LIMITED', 'INVALID_COMMAND']) {
      const { engine, id, source } = await sourceWith((command) =>
        failing(command, { code, message: `because of ${code}` }),
      );
      await engine.putToWork(id);
      const retried = await engine.run(id, 'done', { isLastAttempt: false }).then(
        () => false,
        ({ message }) => message === `because of ${code}`,
      );
      expect([code, retried]).toEqual([code, ['NETWORK_ERROR', 'TIMEOUT_ERROR', 'UNKNOWN_ERROR'].includes(code)]);
      if (retried) await engine.run(id);
      expect(await source()).toMatchObject({ lastError: `because of ${code}`, consecutiveFailures: 1 });
    }
  });

  it('does what the worker says about trying again, and waits as long as it says', async () => {
    const never = await sourceWith((command) => failing(command, { code: 'NETWORK_ERROR', retryable: false }));
    await never.engine.putToWork(never.id);
    await never.engine.run(never.id, 'done', { isLastAttempt: false });
    expect(await never.source()).toMatchObject({ consecutiveFailures: 1 });

    const error = { code: 'RATE_LIMITED', retryable: true, details: { retryAfterSeconds: 7_200, limit: 'hourly' } };
    const later = await sourceWith((command) => failing(command, error));
    await later.engine.putToWork(later.id);
    await later.engine.run(later.id, 'done', { isLastAttempt: false });
    const { notBefore } = await later.state();
    expect(notBefore?.getTime()).toBe(later.reader.clock.now().getTime() + 7_200_000);
  });

  it('keeps its pace while there is no worker, and is fetched when one is there, but not before it may be', async () => {
    const { fetch, reader, id, state, type, worker } = await sourceWith(withPosts());
    await worker.stop();
    const look = () => queueInfo(reader.app.get(Broker), `fetch.${type}`);
    await expect.poll(look, { timeout: 20_000 }).toMatchObject({ consumers: 0 });
    await fetch();
    const now = reader.clock.now().getTime();
    const { waitsForWorker, nextFetchAt, intervalSeconds } = await state();
    expect(waitsForWorker).toBe(true);
    expect(intervalSeconds).toBeGreaterThan(60);
    expect(nextFetchAt?.getTime()).toBeGreaterThanOrEqual(now + 60_000);

    const notBefore = new Date(now + 60_000);
    await reader.app.get(Database).db.update(fetchStates).set({ notBefore }).where(eq(fetchStates.id, id));
    await TestWorker.on(rabbitmq, `fetch.${type}`);
    await reader.app.get(ReturnedWorkers).run();
    expect(await state()).toMatchObject({ waitsForWorker: false, lastError: null, nextFetchAt: notBefore });
  });

  it.each<[string, Answer]>([
    ['posts', withPosts()],
    ['an error', (command) => failing(command, { code: 'NOT_FOUND' })],
  ])('waits for no worker any more once one has answered with %s', async (_, answer) => {
    const { fetch, id, reader, state } = await sourceWith(answer);
    const waiting = { waitsForWorker: true };
    await reader.app.get(Database).db.update(fetchStates).set(waiting).where(eq(fetchStates.id, id));
    await fetch();
    expect(await state()).toMatchObject({ waitsForWorker: false });
  });

  it('is left asleep when a worker is there again and nobody follows it any more', async () => {
    const { ann, id, reader, state, type } = await sourceWith(withPosts());
    await ann.send('DELETE', `/sources/${id}/follow`);
    const waiting = { waitsForWorker: true, nextFetchAt: null };
    await reader.app.get(Database).db.update(fetchStates).set(waiting).where(eq(fetchStates.id, id));
    await reader.app.get(ReturnedWorkers).run();
    expect(await state()).toMatchObject({ type, ...waiting });
  });

  it('cannot be followed without RabbitMQ, by name or by address, and says so', async () => {
    const ann = (await startReader(db.url)).as('ann');
    for (const wanted of [{ type: 'instagram', externalId: 'natgeo' }, { url: 'https://www.instagram.com/natgeo/' }]) {
      const { status, body } = await ann.send('POST', '/sources/follow', wanted);
      expect([status, body.code]).toEqual([409, 'worker_needed']);
      expect(body.detail).toMatch(/^Instagram account: .* RABBITMQ_URL is not set/);
    }
  });

  it('may be one that Millrace knows how to fetch itself', async () => {
    const reader = await startReader(db.url, { rabbitmqUrl: rabbitmq, remoteTypes: ['rss'] });
    await reader.app.get(Declarations).declareAll();
    const worker = await TestWorker.on(rabbitmq, 'fetch.rss');
    const ann = reader.as('ann');
    const { id } = await ann.follow('HTTPS://Example.org:443/feed');
    await expect.poll(async () => (await ann.source(id)).lastSuccessAt, { timeout: 20_000 }).toBeTruthy();
    expect(worker.commands).toMatchObject([{ sourceType: 'rss', externalId: 'https://example.org/feed' }]);
  });
});
