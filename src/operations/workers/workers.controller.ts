import { Controller, Get } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { pageOf } from '../../platform/api/list-query.js';
import { type KnownWorker, WorkersStore } from './workers.store.js';

const WorkerView = z.strictObject({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  roles: z.array(z.string()),
  version: z.string(),
  startedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** The pools of the process, with their running jobs and their concurrency. */
  running: z.array(
    z.strictObject({
      queue: z.string(),
      running: z.int(),
      concurrency: z.int(),
      /** At most 20 running jobs, longest running first, as of the last heartbeat. */
      jobs: z.array(z.strictObject({ jobId: z.string(), subject: z.string(), startedAt: z.iso.datetime() })),
    }),
  ),
});

@ApiTags('Operations')
@AdminOnly()
@Controller('workers')
export class WorkersController {
  constructor(private readonly workers: WorkersStore) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(WorkerView) })
  async list() {
    const known = await this.workers.known();
    return { items: known.filter(({ isThere }) => isThere).map(toView), nextCursor: null };
  }
}

function toView({ isThere: _, resolutionProblem: __, ...worker }: KnownWorker): z.infer<typeof WorkerView> {
  return {
    ...worker,
    startedAt: worker.startedAt.toISOString(),
    lastSeenAt: worker.lastSeenAt.toISOString(),
    running: worker.running.map(({ jobs = [], ...pool }) => ({ ...pool, jobs })),
  };
}
