import { Injectable } from '@nestjs/common';
import { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import { Declarations } from './declarations.js';
import { queueInfo } from './declare.js';

const ANSWERED_LATELY_MS = 5_000;

@Injectable()
export class WorkerPresence {
  private readonly answeredAt = new Map<string, number>();
  private readonly looking = new Map<string, Promise<void>>();

  constructor(
    private readonly broker: Broker,
    private readonly declarations: Declarations,
  ) {}

  get isConfigured(): boolean {
    return this.broker.isConfigured;
  }

  seen(queue: string): void {
    this.answeredAt.set(queue, Date.now());
  }

  wasSeenLately(queue: string): boolean {
    return Date.now() - (this.answeredAt.get(queue) ?? 0) < ANSWERED_LATELY_MS;
  }

  async isThere(queue: string): Promise<boolean> {
    try {
      await this.check(queue);
      return true;
    } catch (error) {
      if (error instanceof BrokerError) return false;
      throw error;
    }
  }

  /** Fails with NO_QUEUE, NO_WORKER or UNREACHABLE. Concurrent callers share one check. */
  check(queue: string): Promise<void> {
    const looking = this.looking.get(queue) ?? this.look(queue).finally(() => this.looking.delete(queue));
    this.looking.set(queue, looking);
    return looking;
  }

  private async look(queue: string): Promise<void> {
    // An administrator may have fixed the reported error.
    if (this.declarations.errorOf(queue)) await this.declarations.declareAll();
    const error = this.declarations.errorOf(queue);
    if (error) throw new BrokerError('NO_QUEUE', error);
    const info = (await queueInfo(this.broker, queue)) ?? (await this.declareAndLook(queue));
    if (!info) throw new BrokerError('NO_QUEUE', `there is no queue ${queue}`);
    if (!info.consumers) throw new BrokerError('NO_WORKER', `no worker answers on ${queue}`);
    this.seen(queue);
  }

  private async declareAndLook(queue: string) {
    await this.declarations.declareAll();
    return queueInfo(this.broker, queue);
  }
}
