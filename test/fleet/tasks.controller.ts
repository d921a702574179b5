import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../src/platform/database/database.js';
import { Jobs } from '../../src/platform/queue/jobs.js';
import { taskJob, tasks } from '../queue/tasks.js';

const NewTask = z.strictObject({ script: z.string(), count: z.int().min(1).max(10_000).default(1) });
type NewTask = z.infer<typeof NewTask>;

/** How somebody asks for tasks: rows first, then their jobs, as everywhere. */
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
    const rows = await this.database.db.insert(tasks).values(values).returning();
    await this.jobs.enqueueRows(taskJob, rows);
    return { ids: rows.map(({ id }) => id) };
  }
}

@Module({ controllers: [TasksController] })
export class TaskRequestsModule {}
