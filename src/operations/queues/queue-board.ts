import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
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
  await app.register(
    async (board: FastifyInstance) => {
      board.addHook('onSend', async (_request, _reply, payload) => withoutWebFonts(payload));
      await board.register(adapter.registerPlugin() as never);
    },
    { prefix: PATH },
  );
}

/** The page asks another host for its fonts. Our content security policy refuses that, and it names those who look. */
function withoutWebFonts(payload: unknown): unknown {
  return typeof payload === 'string' ? payload.replace(/<link href="https:\/\/fonts\.[^>]*>/, '') : payload;
}

/** The data of replayed messages may be anything; other jobs carry only ids. A retry would find no row that waits for it. */
function adapterOf(backend: QueueBackend, name: string): BullMQAdapter {
  const adapter = new BullMQAdapter(backend.queue(name), { allowRetries: false });
  adapter.setFormatter('data', redactValue);
  return adapter;
}
