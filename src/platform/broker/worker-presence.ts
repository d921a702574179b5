import { Injectable } from '@nestjs/common';
import { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import { Declarations } from './declarations.js';
import { queueInfo } from './declare.js';

/** Who has just answered need not be looked for. */
const ANSWERED_LATELY_MS = 5_000;

/** Whether anybody works on a queue. */
@Injectable()
export class WorkerPresence {
  private readonly answeredAt = new Map<string, number>();
  private readonly looking = new Map<string, Promise<void>>();

  constructor(
    private readonly broker: Broker,
    private readonly declarations: Declarations,
  ) {}

  /** A reply came, or a worker was seen. */
  seen(queue: string): void {
    this.answeredAt.set(queue, Date.now());
  }

  wasSeenLately(queue: string): boolean {
    return Date.now() - (this.answeredAt.get(queue) ?? 0) < ANSWERED_LATELY_MS;
  }

  /** Fails with NO_QUEUE, NO_WORKER or UNREACHABLE. Callers that come together share one look. */
  check(queue: string): Promise<void> {
    const looking = this.looking.get(queue) ?? this.look(queue).finally(() => this.looking.delete(queue));
    this.looking.set(queue, looking);
    return looking;
  }

  private async look(queue: string): Promise<void> {
    // Whoever was told of the trouble may have ended it.
    if (this.declarations.trouble(queue)) await this.declarations.declareAll();
    const trouble = this.declarations.trouble(queue);
    if (trouble) throw new BrokerError('NO_QUEUE', trouble);
    const info = (await queueInfo(this.broker, queue)) ?? (await this.declareAndLook(queue));
    if (!info) throw new BrokerError('NO_QUEUE', `there is no queue ${queue}`);
    if (!info.consumers) throw new BrokerError('NO_WORKER', `no worker answers on ${queue}`);
    this.seen(queue);
  }

  /** Somebody deleted it. */
  private async declareAndLook(queue: string) {
    await this.declarations.declareAll();
    return queueInfo(this.broker, queue);
  }
}
