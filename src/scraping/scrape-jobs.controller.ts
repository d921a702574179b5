import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser } from '../auth/current-user.js';
import type { User } from '../auth/user.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { ScrapeJobStatus } from './scrape-job-status.js';
import { ScrapeJobView, toScrapeJobView } from './scrape-job-view.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';

const List = listQuery(z.tuple([Id]), { status: ScrapeJobStatus.optional() });
type List = z.infer<typeof List>;

/** As the message's `job_id`. */
const JobName = Text.min(1).max(200);

@ApiTags('Scrape jobs')
@Controller('jobs/scrape')
export class ScrapeJobsController {
  constructor(private readonly jobs: ScrapeJobsStore) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(ScrapeJobView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor, status }: List) {
    const rows = await this.jobs.list(user.id, { status, before: cursor?.[0], limit: limit + 1 });
    const { items, nextCursor } = page(rows, limit, ({ id }) => [id]);
    return { items: items.map(toScrapeJobView), nextCursor };
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: ScrapeJobView })
  async read(@CurrentUser() user: User, @Param('id', { schema: JobName }) id: string) {
    const job = await this.jobs.find(user.id, id);
    if (!job) throw new ApiError('not_found', `You have no scrape job ${id}.`);
    return toScrapeJobView(job);
  }
}
