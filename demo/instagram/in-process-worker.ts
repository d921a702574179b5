import { fetchQueue } from '../../src/contracts/queues.js';
import { BrokerError } from '../../src/platform/broker/broker-error.js';
import type { RpcMetrics } from '../../src/platform/broker/rpc-metrics.js';
import type { Call } from '../../src/platform/broker/waiting-calls.js';
import { WorkerRpc } from '../../src/platform/broker/worker-rpc.js';
import type { Log } from '../../src/platform/log/log.js';
import { answerCommand } from './answer-command.js';
import { askInstagram } from './ask-instagram.js';

const QUEUE = fetchQueue('instagram');

/**
 * The demo's Instagram worker, which answers in this process, so that the demo needs no RabbitMQ. Commands and answers are
 * serialised as on their way over RabbitMQ.
 */
export class InProcessWorker extends WorkerRpc {
  readonly isConfigured = true;

  constructor(
    private readonly instagramUrl: string,
    metrics: RpcMetrics,
    log: Log,
  ) {
    super(metrics, log);
  }

  protected async send(queue: string, message: object, { id, published }: Call): Promise<void> {
    if (queue !== QUEUE) throw new BrokerError('NO_WORKER', `no worker answers on ${queue}`);
    published?.();
    const body: unknown = JSON.parse(JSON.stringify(message));
    const result = await answerCommand({ body, correlationId: id }, (command, signal) =>
      askInstagram(this.instagramUrl, command, signal),
    );
    if (result) this.waiting.take(id)?.resolve(Buffer.from(JSON.stringify(result)));
  }
}
