import { CANARY } from '../../platform/queue/canary.js';
import type { JobQueue } from '../../platform/queue/queue-backend.js';

const canaryId = (queue: JobQueue) => `${CANARY}-${queue.name}`;

/** At the head of the line, because a backlog is no standstill. One that still waits is not doubled. */
export async function sendCanary(queue: JobQueue): Promise<void> {
  const ends = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  await queue.add(CANARY, { subject: CANARY, data: {} }, { jobId: canaryId(queue), lifo: true, ...ends });
}

/** In a queue that is paused it would count as work that waits. */
export async function withdrawCanary(queue: JobQueue): Promise<void> {
  await queue.remove(canaryId(queue));
}
