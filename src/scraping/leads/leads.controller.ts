import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { MemoryGuard } from '../../platform/process/memory-guard.js';
import { JobName } from '../jobs/scrape-jobs.controller.js';
import { ScrapeJobsStore } from '../jobs/scrape-jobs.store.js';
import { LeadListsStore, type Which } from './lead-lists.store.js';
import type { LeadRow } from './raw-leads.table.js';

export const LeadView = z.strictObject({
  id: Id,
  name: z.string(),
  domain: z.string().nullable(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  address: z.string().nullable(),
  country: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string().nullable(),
  source_type: z.string(),
  raw_payload: z.unknown(),
  scraped_at: z.iso.datetime(),
});

const COLUMNS = [
  'id',
  'name',
  'domain',
  'emails',
  'phones',
  'address',
  'country',
  'description',
  'url',
  'source_type',
  'scraped_at',
] as const satisfies (keyof LeadView)[];

/** A spreadsheet sees a formula at the beginning of a cell and after a semicolon, at which many programs split. */
const FORMULA = /^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][ "]*)/g;

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8; header=present', render: renderLeadsCsv },
  jsonl: { type: 'application/jsonl; charset=utf-8', render: renderLeadsJsonl },
};

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

  /** JSON is paginated; the other formats are downloads of all leads. */
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

async function exportLeads(leads: AsyncIterable<LeadRow>, format: keyof typeof FORMATS, reply: FastifyReply) {
  const { type, render } = FORMATS[format];
  await reply
    .header('Content-Type', type)
    .header('Content-Disposition', `attachment; filename="leads.${format}"`)
    .send(Readable.from(render(views(leads))));
}

async function* views(leads: AsyncIterable<LeadRow>): AsyncGenerator<LeadView> {
  for await (const lead of leads) yield toLeadView(lead);
}

export async function* renderLeadsJsonl(leads: AsyncIterable<LeadView> | Iterable<LeadView>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}

/** The file is RFC 4180 without a byte order mark. Spreadsheets see a formula in E.164 without the apostrophe. */
export async function* renderLeadsCsv(leads: AsyncIterable<LeadView> | Iterable<LeadView>): AsyncGenerator<string> {
  yield line(COLUMNS);
  for await (const lead of leads) yield line(COLUMNS.map((column) => cell(lead[column])));
}

function cell(value: string | string[] | null): string {
  const text = Array.isArray(value) ? value.join('; ') : (value ?? '');
  const safe = text.replace(FORMULA, "'");
  return /[",;\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

export type LeadView = z.infer<typeof LeadView>;

function toLeadView(lead: LeadRow): LeadView {
  const { id, name, domain, emails, phones, address, country, description, url } = lead;
  return {
    id,
    name,
    domain,
    emails,
    phones,
    address,
    country,
    description,
    url,
    source_type: lead.sourceType,
    raw_payload: lead.rawPayload,
    scraped_at: lead.scrapedAt.toISOString(),
  };
}
