import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { hasCriteria, NO_CRITERIA, scrapeCriteria } from '../../contracts/scrape-job-message.js';
import { readIdempotencyKey, TakesIdempotencyKey } from '../../platform/api/idempotency-key.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { LargeBody } from '../../platform/api/request-bodies.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { LiveScrapeJobs } from './live-scrape-jobs.js';
import { UNSTORABLE, unstorableFields } from './scrape-criteria.js';
import { ScrapeJobView } from './scrape-job-view.js';
import { ScrapeJobs } from './scrape-jobs.js';
import { type ScrapeJob, ScrapeJobsStore } from './scrape-jobs.store.js';
import { ScrapeJobStatus } from './scrape-jobs.table.js';

const NewJob = z
  .strictObject(scrapeCriteria)
  .refine(hasCriteria, NO_CRITERIA)
  .superRefine((job, context) => {
    for (const path of unstorableFields(job)) context.addIssue({ code: 'custom', path: [path], message: UNSTORABLE });
  });
type NewJob = z.infer<typeof NewJob>;

const List = listQuery(z.tuple([Id]), { status: ScrapeJobStatus.optional(), source_type: Text.min(1).optional() });
type List = z.infer<typeof List>;

/** Enough bytes for 200 keywords of 200 characters. */
const MAX_BYTES = 262_144;

/** The limits are those of the message's `job_id`. */
export const JobName = Text.min(1).max(200);

const EVENTS = 'Server-sent events: `job` with the job, now and after every change. Ends with the job.';

@ApiTags('Scrape jobs')
@Controller('jobs/scrape')
export class ScrapeJobsController {
  constructor(
    private readonly jobs: ScrapeJobs,
    private readonly store: ScrapeJobsStore,
    private readonly live: LiveScrapeJobs,
    private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(202)
  @LargeBody({ maxBytes: MAX_BYTES })
  @TakesIdempotencyKey()
  @ApiResponse({ status: 202, standardSchema: ScrapeJobView })
  async create(
    @CurrentUser() user: User,
    @Body({ schema: NewJob }) criteria: NewJob,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    return this.jobs.view(await this.jobs.create(user.id, criteria, readIdempotencyKey(key)));
  }

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(ScrapeJobView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor, status, source_type }: List) {
    const wanted = { status, sourceType: source_type, before: cursor?.[0], limit: limit + 1 };
    const { items, nextCursor } = page(await this.store.list(user.id, wanted), limit, ({ id }) => [id]);
    return { items: items.map((job) => this.jobs.view(job)), nextCursor };
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: ScrapeJobView })
  async read(@CurrentUser() user: User, @Param('id', { schema: JobName }) id: string) {
    return this.jobs.view(await this.existing(user, id));
  }

  @Get(':id/stream')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: EVENTS, schema: { type: 'string' } })
  async watch(
    @CurrentUser() user: User,
    @Param('id', { schema: JobName }) id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const job = await this.existing(user, id);
    this.live.open({ topic: job.id, owner: user.id }, { request, reply });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: ScrapeJobView })
  async cancel(@CurrentUser() user: User, @Param('id', { schema: JobName }) id: string) {
    const cancelled = await this.store.cancel(user.id, id, this.clock.now());
    const job = await this.existing(user, id);
    if (!cancelled && job.status !== 'cancelled') throw new ApiError('already_ended', `The job ${id} has ended.`);
    return this.jobs.view(job);
  }

  @Post(':id/rerun')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: ScrapeJobView })
  async rerun(@CurrentUser() user: User, @Param('id', { schema: JobName }) id: string) {
    return this.jobs.view(await this.jobs.rerun(await this.existing(user, id)));
  }

  private async existing(user: User, id: string): Promise<ScrapeJob> {
    const job = await this.store.find(user.id, id);
    if (!job) throw new ApiError('not_found', `You have no scrape job ${id}.`);
    return job;
  }
}
