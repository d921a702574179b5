import { fetchQueue } from '../../src/contracts/queues.js';
import { BrokerError } from '../../src/platform/broker/broker-error.js';
import { Rpc } from '../../src/platform/broker/rpc.js';
import { type Call, WaitingCalls } from '../../src/platform/broker/waiting-calls.js';
import { answerCommand } from './answer-command.js';
import { askInstagram } from './ask-instagram.js';

const QUEUE = fetchQueue('instagram');

/**
 * The demo's Instagram worker, which answers in this process so that the demo needs no RabbitMQ. Everything else is as it is with
 * `RabbitmqRpc`: commands and answers are serialised, and a call ends when its time is up or its signal aborts.
 */
export class InProcessWorker extends Rpc {
  readonly isConfigured = true;
  private readonly waiting = new WaitingCalls();

  constructor(private readonly instagramUrl: string) {
    super();
  }

  async call(queue: string, message: object, call: Call): Promise<Uint8Array> {
    const answer = this.waiting.add(queue, call);
    this.work(queue, message, call.id).then(
      (body) => body && this.waiting.take(call.id)?.resolve(body),
      (error) => this.waiting.take(call.id)?.reject(error),
    );
    return answer;
  }

  /** Returns nothing for a command that nobody waits for any more. */
  private async work(queue: string, message: object, correlationId: string): Promise<Uint8Array | undefined> {
    if (queue !== QUEUE) throw new BrokerError('NO_WORKER', `no worker answers on ${queue}`);
    const body: unknown = JSON.parse(JSON.stringify(message));
    const result = await answerCommand({ body, correlationId }, (command, signal) =>
      askInstagram(this.instagramUrl, command, signal),
    );
    return result && Buffer.from(JSON.stringify(result));
  }
}
