import type { z } from 'zod';
import type { NewFetchCommand } from '../../contracts/fetch-command.js';
import { FetchResult } from '../../contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import type { RemoteError } from '../../contracts/remote-error.js';
import type { NewScrapeCommand } from '../../contracts/scrape-command.js';
import { ScrapeResult } from '../../contracts/scrape-result.js';

/** What differs from one command to the next. */
export interface Wish {
  jobId: string;
  externalId: string;
  cursor?: string | undefined;
  limit: number;
  sentAt: Date;
  timeoutMs: number;
}

/** An answer as the probes see it, whatever was asked for. */
export type Answer = { jobId: string; sourceId: string | undefined } & (
  | { status: 'error'; error: RemoteError }
  /** `items` are what tells posts or leads from each other. */
  | { status: 'success'; items: string[]; nextCursor: string | undefined; hasMore: boolean }
);

/** The two kinds of workers: those that fetch posts and those that scrape leads. */
export interface Kind {
  /** The plural of what it finds. */
  items: 'posts' | 'leads';
  hasAccounts: boolean;
  /** Undefined where answers do not carry one. */
  sourceId: string | undefined;
  command(wish: Wish): { jobId: string };
  /** A field that no command may lack. */
  requiredField: string;
  read(message: unknown): z.ZodSafeParseResult<Answer>;
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
    read: (message) => ReadFetchResult.safeParse(message),
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
    read: (message) => ReadScrapeResult.safeParse(message),
  };
}

const ReadFetchResult = FetchResult.transform((result): Answer => {
  const { jobId, sourceId } = result;
  if (result.status === 'error') return { jobId, sourceId, status: 'error', error: result.error };
  const { posts, nextCursor, hasMore } = result.data;
  return { jobId, sourceId, status: 'success', items: posts.map(({ externalId }) => externalId), nextCursor, hasMore };
});

/** Leads have no id: two of the same name may be two shops. */
const ReadScrapeResult = ScrapeResult.transform((result): Answer => {
  const { jobId } = result;
  if (result.status === 'error') return { jobId, sourceId: undefined, status: 'error', error: result.error };
  const { leads, nextCursor, hasMore } = result.data;
  const items = leads.map((lead) => JSON.stringify(lead));
  return { jobId, sourceId: undefined, status: 'success', items, nextCursor, hasMore };
});
