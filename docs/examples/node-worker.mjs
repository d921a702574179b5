// Makes "diary" a type of source: npm install rabbitmq-client && RABBITMQ_URL=amqp://… node node-worker.mjs
import { Connection } from 'rabbitmq-client';

// A real worker would request a site here.
const written = (day, content) => ({ externalId: `${day}`, content, publishedAt: `2026-01-0${day}T12:00:00Z` });
const DIARIES = new Map([['ada', [written(3, 'It computes.'), written(2, 'It turns.'), written(1, 'It is built.')]]]);

function fetchPage({ externalId, params: { cursor, limit } }) {
  const entries = DIARIES.get(externalId);
  if (!entries) return failed('NOT_FOUND', `no diary of ${externalId}`);
  const rest = cursor ? entries.filter((entry) => entry.externalId < cursor) : entries;
  const page = rest.slice(0, limit ?? 50);
  const author = { username: externalId, displayName: externalId };
  const posts = page.map((entry) => ({ ...entry, contentFormat: 'text', author }));
  return {
    status: 'success',
    data: { posts, hasMore: page.length < rest.length, nextCursor: page.at(-1)?.externalId },
  };
}

const failed = (code, message) => ({ status: 'error', error: { code, message } });

const TYPES = { jobId: 'string', sourceId: 'string', externalId: 'string', params: 'object', timestamp: 'string' };
function answer(command) {
  const wrong = Object.keys(TYPES).find((name) => !command[name] || typeof command[name] !== TYPES[name]);
  if (wrong) return failed('INVALID_COMMAND', `${wrong}: missing or of another type`);
  if ((command.schemaVersion ?? 1) !== 1) return failed('INVALID_COMMAND', 'schemaVersion: only 1 is supported');
  return fetchPage(command);
}

const rabbit = new Connection({ url: process.env.RABBITMQ_URL, noDelay: true });
const queue = { queue: 'fetch.diary', queueOptions: { passive: true }, qos: { prefetchCount: 1 } };
const worker = rabbit.createConsumer(queue, async ({ body, correlationId, replyTo }, reply) => {
  const startedAt = Date.now();
  const command = Object(body);
  const isExpired = Date.parse(command.timestamp) + (command.timeout ?? Number.NaN) < startedAt;
  if (!replyTo || isExpired) return; // Nobody waits. Returning acknowledges the message.
  const about = { schemaVersion: 1, jobId: correlationId, sourceId: `${command.sourceId || 'unknown'}` };
  const took = () => ({ timestamp: new Date().toISOString(), processingTime: Date.now() - startedAt });
  await reply({ ...about, ...answer(command), ...took() });
});

// Both reconnect by themselves.
for (const source of [rabbit, worker]) source.on('error', ({ message }) => process.stderr.write(`${message}\n`));
process.once('SIGTERM', () => worker.close().then(() => rabbit.close()));
