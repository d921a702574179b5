import { CANARY } from '../../platform/jobs/canary.js';
import type { JobQueue } from '../../platform/jobs/queue-backend.js';

const canaryId = (queue: JobQueue) => `${CANARY}-${queue.name}`;

/**
 * Puts the canary first in the queue, because a backlog is not a standstill. One that still waits is not duplicated.
 */
export async function sendCanary(queue: JobQueue): Promise<void> {
  const ends = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  await queue.add(CANARY, { subject: CANARY, data: {} }, { jobId: canaryId(queue), lifo: true, ...ends });
}

/** Removes a waiting canary, which would count as waiting work in a paused queue. */
export async function withdrawCanary(queue: JobQueue): Promise<void> {
  await queue.remove(canaryId(queue));
}
