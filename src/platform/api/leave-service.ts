import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config.js';
import { WorkerPools } from '../jobs/process-pools.js';
import { Readiness } from './readiness.js';

/**
 * Load balancers notice only after a while that this process is not ready any more, and until then it answers as
 * usual. Streams stay open meanwhile, so that clients reconnect to another process.
 */
export async function leaveService(app: INestApplicationContext, { roles, drainMs }: Config): Promise<void> {
  app.get(Readiness).leave();
  if (!roles.has('api') || !drainMs) return;
  await Promise.all([sleep(drainMs), app.get(WorkerPools).drain()]);
}
