import { Connection } from 'rabbitmq-client';
import { answering, remotePost } from '../../test/workers/made-answers.js';

/**
 * A process that answers every command with the same page as fast as it can: `node worker.program.js <queue> <posts>`.
 */
const [queue = '', posts = '0'] = process.argv.slice(2);
const page = Array.from({ length: Number(posts) }, (_, number) =>
  remotePost(`post-${number}`, { content: 'x'.repeat(500) }),
);

const connection = new Connection({ url: process.env.RABBITMQ_URL ?? '', noDelay: true });
connection.createConsumer(
  { queue, queueOptions: { passive: true }, qos: { prefetchCount: 1 } },
  async ({ body }, reply) => {
    await reply(answering(body, { data: { posts: page, hasMore: false } }));
  },
);
