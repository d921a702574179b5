import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CurrentUser } from '../../auth/users/current-user.js';
import type { User } from '../../auth/users/user.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { MemoryGuard } from '../../platform/process/memory-guard.js';
import { JobName } from '../jobs/scrape-jobs.controller.js';
import { ScrapeJobsStore } from '../jobs/scrape-jobs.store.js';
import { exportLeads } from './export-leads.js';
import { LeadListsStore, type Which } from './lead-lists.store.js';
import { LeadView, toLeadView } from './lead-view.js';

const filters = {
  q: Text.min(1).max(200).optional(),
  source_type: Text.min(1).optional(),
  country: Text.length(2).optional(),
  format: z.enum(['json', 'csv', 'jsonl']).default('json'),
};
const List = listQuery(z.tuple([Id]), filters);
type List = z.infer<typeof List>;
const ListOfJob = listQuery(z.tuple([Id]), { ...filters, duplicates: z.enum(['true', 'false']).default('true') });
type ListOfJob = z.infer<typeof ListOfJob>;

@ApiTags('Scrape jobs')
@Controller()
export class LeadsController {
  constructor(
    private readonly jobs: ScrapeJobsStore,
    private readonly leads: LeadListsStore,
    private readonly memory: MemoryGuard,
  ) {}

  @Get('leads')
  @ApiProduces('application/json', 'text/csv', 'application/jsonl')
  @ApiResponse({ status: 200, standardSchema: pageOf(LeadView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) query: List, @Res() reply: FastifyReply) {
    await this.answer({ userId: user.id, ...which(query) }, query, reply);
  }

  @Get('jobs/scrape/:id/leads')
  @ApiProduces('application/json', 'text/csv', 'application/jsonl')
  @ApiResponse({ status: 200, standardSchema: pageOf(LeadView) })
  async listOfJob(
    @CurrentUser() user: User,
    @Param('id', { schema: JobName }) id: string,
    @Query({ schema: ListOfJob }) query: ListOfJob,
    @Res() reply: FastifyReply,
  ) {
    const job = await this.jobs.find(user.id, id);
    if (!job) throw new ApiError('not_found', `You have no scrape job ${id}.`);
    const ofJob = { scrapeJobId: job.id, onlyNew: query.duplicates === 'false' };
    await this.answer({ userId: user.id, ...ofJob, ...which(query) }, query, reply);
  }

  /** A page as JSON; the other formats are downloads of all. */
  private async answer(which: Which, { limit, cursor, format }: List, reply: FastifyReply): Promise<void> {
    if (format !== 'json') {
      this.memory.requireMemory();
      return exportLeads(this.leads.all(which), format, reply);
    }
    const rows = await this.leads.list(which, { after: cursor?.[0], limit: limit + 1 });
    await reply.send(page(rows.map(toLeadView), limit, ({ id }) => [id]));
  }
}

function which({ q, source_type, country }: List) {
  return { q, sourceType: source_type, country };
}
