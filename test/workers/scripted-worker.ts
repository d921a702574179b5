import { once } from 'node:events';
import { type AsyncMessage, Connection } from 'rabbitmq-client';
import { FetchCommand } from '../../src/contracts/fetch-command.js';
import { ScrapeCommand } from '../../src/contracts/scrape-command.js';

export type Command = FetchCommand | ScrapeCommand;

/** How a worker handles a message. */
export interface Deed {
  reply?: unknown;
  correlationId?: string;
  afterMs?: number;
  acknowledge?: false;
  /** The process dies while it handles the message. */
  crash?: true;
}

export interface Seen {
  /** Undefined if the message could not be read. */
  command: Command | undefined;
  body: unknown;
  /** Handles the message as a good worker does. */
  good: Deed;
}

/** Replaces the handling of each message by a good worker. */
export type Habit = (seen: Seen) => Deed;

interface Options {
  url: string;
  queue: string;
  exchange?: string;
  prefetch?: number;
  habit?: Habit;
}

/** The only account, with this many posts. */
export const ACCOUNT = 'nasa';
const POSTS = 25;
const MAX_POSTS = 1_000;
const UNUSED_MS = 60_000;

export const isExpired = ({ timestamp, timeout }: Command) =>
  timeout !== undefined && Date.parse(timestamp) + timeout < Date.now();

/** Starts a worker in this process. Resolves when it consumes. The caller ends it. */
export async function startWorker(options: Options): Promise<{ end(): void }> {
  const { url, queue, exchange = 'source.fetcher', prefetch = 1, habit = ({ good }) => good } = options;
  const connection = new Connection({ url, noDelay: true });
  connection.on('error', () => undefined);
  const consumer = connection.createConsumer(
    {
      queue,
      queueOptions: { durable: true, arguments: { 'x-expires': UNUSED_MS } },
      exchanges: [{ exchange, type: 'direct', durable: true }],
      queueBindings: [{ exchange, routingKey: queue }],
      qos: { prefetchCount: prefetch },
      concurrency: prefetch,
    },
    async (message, reply) => {
      const { body } = message;
      const command = understand(queue, body);
      const deed = habit({ command, body, good: goodDeed(command, message) });
      if (deed.crash) connection.unsafeDestroy();
      if (deed.afterMs) await new Promise((resolve) => setTimeout(resolve, deed.afterMs));
      if (deed.reply) await reply(deed.reply, deed.correlationId ? { correlationId: deed.correlationId } : {});
      if (deed.acknowledge === false || deed.crash) await new Promise(() => undefined);
    },
  );
  consumer.on('error', () => undefined);
  await once(consumer, 'ready');
  return { end: () => connection.unsafeDestroy() };
}

function understand(queue: string, body: unknown): Command | undefined {
  return (queue.startsWith('fetch.') ? FetchCommand : ScrapeCommand).safeParse(body).data;
}

function goodDeed(command: Command | undefined, { correlationId = '', body }: AsyncMessage): Deed {
  if (!command) {
    const { jobId = correlationId } = body as { jobId?: string };
    return { reply: failure({ jobId, sourceId: 'unknown' }, 'INVALID_COMMAND') };
  }
  if (isExpired(command)) return {};
  if ('externalId' in command && command.externalId !== ACCOUNT) return { reply: failure(command, 'NOT_FOUND') };
  return { reply: success(command) };
}

type Named = Pick<FetchCommand, 'jobId'> & { sourceId?: string };

export function failure({ jobId, sourceId }: Named, code: string, more: object = {}) {
  return { ...answered({ jobId, sourceId }), status: 'error', error: { code, message: `it is ${code}`, ...more } };
}

/** One page. The cursor is the number of its first post. */
export function success(command: Command, posts = POSTS) {
  const { cursor, limit = 10 } = command.params;
  const start = Number(cursor ?? 0);
  const end = Math.min(start + Math.min(limit, MAX_POSTS), posts);
  const data = { nextCursor: end < posts ? String(end) : null, hasMore: end < posts };
  const numbers = Array.from({ length: end - start }, (_, index) => start + index);
  const found = 'externalId' in command ? { posts: numbers.map(post) } : { leads: numbers.map(lead) };
  return { ...answered(command), status: 'success', data: { ...found, ...data } };
}

const answered = ({ jobId, sourceId }: { jobId: string; sourceId?: string | undefined }) => ({
  schemaVersion: 1,
  jobId,
  sourceId,
  timestamp: new Date().toISOString(),
  processingTime: 1,
});

export const post = (number: number) => ({
  externalId: `post-${number}`,
  content: `Post ${number}`,
  publishedAt: '2026-01-31T12:00:00Z',
  author: { username: ACCOUNT, displayName: 'NASA' },
});

const lead = (number: number) => ({ name: `Shop ${number}`, domain: `shop${number}.example` });
