import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CANARY, CanaryListener } from '../../platform/jobs/canary.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { type JobQueue, QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import type { CanarySender } from './canaries.js';
import { CanariesStore } from './canaries.store.js';

@Injectable()
export class QueueCanaries implements CanarySender, OnModuleInit {
  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly listener: CanaryListener,
    private readonly handlers: JobHandlers,
    private readonly store: CanariesStore,
  ) {}

  onModuleInit() {
    this.listener.returned = (queue) => this.store.returned(queue);
  }

  paths(): string[] {
    return this.handlers.all().map(([{ name }]) => name);
  }

  /** The canary comes first in its queue, because a backlog is not a standstill. One that still waits is not duplicated. */
  async send(name: string): Promise<'sent' | 'paused'> {
    const queue = this.backend.queue(name);
    if (await queue.isPaused()) {
      await withdrawCanary(queue);
      return 'paused';
    }
    const ends = { attempts: 1, removeOnComplete: true, removeOnFail: true };
    await queue.add(CANARY, { subject: CANARY, data: {} }, { jobId: canaryId(queue), lifo: true, ...ends });
    return 'sent';
  }

  ping(): Promise<void> {
    return this.backend.ping();
  }
}

const canaryId = (queue: JobQueue) => `${CANARY}-${queue.name}`;

/** Removes a waiting canary, which would count as waiting work in a paused queue. */
export async function withdrawCanary(queue: JobQueue): Promise<void> {
  await queue.remove(canaryId(queue));
}
