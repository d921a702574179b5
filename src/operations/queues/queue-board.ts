import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { redactValue } from '../../platform/redact.js';

const PATH = '/admin/queues';
/** The path is given explicitly, because bull-board finds its page only when it is loaded from its package. */
const PAGE = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** Serves bull-board. The admin gate protects everything below `/admin`. */
export async function serveQueueBoard(app: NestFastifyApplication): Promise<void> {
  const backend = app.get<QueueBackend>(QUEUE_BACKEND);
  const adapter = new FastifyAdapter().setBasePath(PATH);
  createBullBoard({
    queues: app
      .get(JobHandlers)
      .all()
      .map(([{ name }]) => adapterOf(backend, name)),
    serverAdapter: adapter,
    options: { uiBasePath: PAGE, uiConfig: { boardTitle: 'Millrace' } },
  });
  await app.register(adapter.registerPlugin() as never, { prefix: PATH });
}

/** Only replays of messages carry more than ids, and their content may be anything. */
function adapterOf(backend: QueueBackend, name: string): BullMQAdapter {
  const adapter = new BullMQAdapter(backend.queue(name));
  adapter.setFormatter('data', redactValue);
  return adapter;
}
