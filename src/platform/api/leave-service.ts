import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config.js';
import { WorkerPools } from '../queue/worker-pools.js';
import { Readiness } from './readiness.js';

/**
 * Whoever sends requests here notices only after a while that this process is not ready any more. Until then it answers
 * them as always. Streams stay open meanwhile: who comes back for a new one is to find another process.
 */
export async function leaveService(app: INestApplicationContext, { roles, drainMs }: Config): Promise<void> {
  app.get(Readiness).leave();
  if (!roles.has('api') || !drainMs) return;
  await Promise.all([sleep(drainMs), app.get(WorkerPools).drain()]);
}
