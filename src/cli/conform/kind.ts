import type { z } from 'zod';
import { adaptAnswer } from '../../contracts/adapt-answer.js';
import type { NewFetchCommand } from '../../contracts/fetch-command.js';
import { FetchResult } from '../../contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import type { RemoteError } from '../../contracts/remote-error.js';
import type { NewScrapeCommand } from '../../contracts/scrape-command.js';
import { ScrapeResult } from '../../contracts/scrape-result.js';

export interface CommandFields {
  jobId: string;
  externalId: string;
  cursor?: string | undefined;
  limit: number;
  sentAt: Date;
  timeoutMs: number;
}

/** An answer as the probes see it, whether of a fetcher or of a scraper. */
export type Answer = { jobId: string; sourceId: string | undefined } & (
  | { status: 'error'; error: RemoteError }
  /** `items` identify posts or leads. */
  | { status: 'success'; items: string[]; nextCursor: string | undefined; hasMore: boolean }
);

/** Workers either fetch posts or scrape leads. */
export interface Kind {
  items: 'posts' | 'leads';
  hasAccounts: boolean;
  /** Undefined if answers do not have one. */
  sourceId: string | undefined;
  command(fields: CommandFields): { jobId: string };
  /** A field that every command has. */
  requiredField: string;
  read(message: unknown): { checked: z.ZodSafeParseResult<Answer>; preferred: string[] };
}

export function fetchKind(sourceType: string, sourceId: string): Kind {
  return {
    items: 'posts',
    hasAccounts: true,
    sourceId,
    requiredField: 'externalId' satisfies keyof NewFetchCommand,
    command: ({ jobId, externalId, cursor, limit, sentAt, timeoutMs }) =>
      ({
        schemaVersion: SCHEMA_VERSION,
        jobId,
        sourceId,
        sourceType,
        externalId,
        params: { cursor, limit },
        timestamp: sentAt.toISOString(),
        timeout: timeoutMs,
      }) satisfies NewFetchCommand,
    read: (message) => readAs(ReadFetchResult, message),
  };
}

export function scrapeKind(sourceType: string, query: string): Kind {
  return {
    items: 'leads',
    hasAccounts: false,
    sourceId: undefined,
    requiredField: 'params' satisfies keyof NewScrapeCommand,
    command: ({ jobId, cursor, limit, sentAt, timeoutMs }) =>
      ({
        schemaVersion: SCHEMA_VERSION,
        jobId,
        sourceType,
        params: { keywords: [query], searchQuery: query, filters: {}, cursor, limit },
        timestamp: sentAt.toISOString(),
        timeout: timeoutMs,
      }) satisfies NewScrapeCommand,
    read: (message) => readAs(ReadScrapeResult, message),
  };
}

function readAs(schema: z.ZodType<Answer>, given: unknown) {
  const { message, preferred } = adaptAnswer(given);
  return { checked: schema.safeParse(message), preferred };
}

const ReadFetchResult = FetchResult.transform((result): Answer => {
  const { jobId, sourceId } = result;
  if (result.status === 'error') return { jobId, sourceId, status: 'error', error: result.error };
  const { posts, nextCursor, hasMore } = result.data;
  return { jobId, sourceId, status: 'success', items: posts.map(({ externalId }) => externalId), nextCursor, hasMore };
});

/** Leads have no id, and two with the same name may be two shops. */
const ReadScrapeResult = ScrapeResult.transform((result): Answer => {
  const { jobId } = result;
  if (result.status === 'error') return { jobId, sourceId: undefined, status: 'error', error: result.error };
  const { leads, nextCursor, hasMore } = result.data;
  const items = leads.map((lead) => JSON.stringify(lead));
  return { jobId, sourceId: undefined, status: 'success', items, nextCursor, hasMore };
});
