import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../src/platform/database/database.js';
import { waitingRow } from '../../src/platform/jobs/job-columns.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { Heap } from '../../src/platform/process/memory-guard.js';
import { taskJob, tasks } from '../queue/tasks.js';

const NewTask = z.strictObject({ script: z.string(), count: z.int().min(1).max(10_000).default(1) });
type NewTask = z.infer<typeof NewTask>;

/** Creates tasks: rows first, then their jobs, as everywhere. */
@Controller('tasks')
export class TasksController {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  @Post()
  @HttpCode(202)
  async create(@Body({ schema: NewTask }) { script, count }: NewTask) {
    const values = Array.from({ length: count }, () => ({ script }));
    const rows = await this.database.db.insert(tasks).values(values).returning(waitingRow(tasks));
    await this.jobs.enqueueRows(taskJob, rows);
    return { ids: rows.map(({ id }) => id) };
  }
}

const Ballast = z.strictObject({ heapPercent: z.int().min(0).max(95) });
type Ballast = z.infer<typeof Ballast>;

/** Fills the heap of the process; 0 frees it again. */
@Controller('ballast')
export class BallastController {
  private held: number[][] = [];

  @Post()
  @HttpCode(204)
  hold(@Body({ schema: Ballast }) { heapPercent }: Ballast) {
    const heap = new Heap();
    if (!heapPercent) this.held = [];
    // Each entry is a megabyte.
    while (heap.usedPercent() < heapPercent) this.held.push(new Array(131_072).fill(0.5));
  }
}

@Module({ controllers: [TasksController, BallastController] })
export class TaskRequestsModule {}
