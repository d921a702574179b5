import { Injectable } from '@nestjs/common';
import { and, arrayContains, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { deadLetters } from '../platform/jobs/dead-letters/dead-letters.table.js';
import { posts } from '../posts/posts.table.js';
import { type ImportFeed, importFeeds } from './feeds/import-feeds.table.js';
import { importItemJob } from './import-jobs.js';
import { FEED_STATUSES, type FeedStatus, type Outcome } from './import-status.js';
import { type ItemTotals, itemTotals, NO_ITEMS } from './import-totals.js';
import { failedItems } from './items/failed-items.table.js';
import type { FieldQuery } from './items/field-terms.js';
import { importBatches } from './items/import-batches.table.js';
import { importItems } from './items/import-items.table.js';

interface Page {
  after?: string | undefined;
  limit: number;
}

interface ItemFilter extends Page {
  importId: string;
  feedId?: string | undefined;
  outcome?: Outcome | undefined;
  fields?: FieldQuery[];
}

export type ListedFeed = ImportFeed & { items: ItemTotals };
export type ListedItem = Awaited<ReturnType<ImportContentsStore['items']>>[number];
export type ListedFailure = Awaited<ReturnType<ImportContentsStore['failures']>>[number];

const REPEATED_BATCH_SIZE = 1_000;

@Injectable()
export class ImportContentsStore {
  constructor(private readonly database: Database) {}

  async feeds(
    importId: string,
    { status, ...page }: Page & { status?: FeedStatus | undefined },
  ): Promise<ListedFeed[]> {
    const { db } = this.database;
    const feeds = await feedPage(db, importId, { ...page, statuses: status ? [status] : FEED_STATUSES });
    const ids = feeds.map(({ id }) => id);
    const items = await itemTotals(db, 'feed_id', ids);
    return feeds.map((feed) => ({ ...feed, items: items.get(feed.id) ?? NO_ITEMS }));
  }

  async *entered(db: Db, importId: string, status?: FeedStatus): AsyncGenerator<ImportFeed[]> {
    const wanted = { statuses: status ? [status] : FEED_STATUSES, limit: REPEATED_BATCH_SIZE };
    for (let after: string | undefined; ; ) {
      const feeds = await feedPage(db, importId, { ...wanted, after });
      if (feeds.length) yield feeds;
      if (feeds.length < REPEATED_BATCH_SIZE) return;
      after = feeds.at(-1)?.id;
    }
  }

  /** Only the id is left of a post that was merged with another since. */
  async items({ importId, feedId, outcome, fields = [], after, limit }: ItemFilter) {
    return this.database.db
      .select({
        postId: importItems.postId,
        feedId: importBatches.feedId,
        outcome: importItems.outcome,
        sourceId: posts.sourceId,
        externalId: posts.externalId,
        title: posts.title,
        url: posts.url,
        publishedAt: posts.publishedAt,
        fields: importItems.fields,
      })
      .from(importItems)
      .innerJoin(importBatches, eq(importBatches.id, importItems.batchId))
      .leftJoin(posts, eq(posts.id, importItems.postId))
      .where(
        and(
          eq(importItems.importId, importId),
          feedId === undefined ? undefined : eq(importBatches.feedId, feedId),
          outcome === undefined ? undefined : eq(importItems.outcome, outcome),
          after === undefined ? undefined : gt(importItems.postId, after),
          ...fields.map(matches),
        ),
      )
      .orderBy(importItems.postId)
      .limit(limit);
  }

  async failures({ importId, feedId, after, limit }: Omit<ItemFilter, 'outcome' | 'fields'>) {
    const open = and(
      eq(deadLetters.queue, importItemJob.name),
      eq(deadLetters.subject, sql`${failedItems.id}::text`),
      eq(deadLetters.state, 'open'),
    );
    return this.database.db
      .select({
        id: failedItems.id,
        feedId: importBatches.feedId,
        sourceId: importFeeds.sourceId,
        externalId: failedItems.externalId,
        place: failedItems.place,
        reason: failedItems.reason,
        failedAt: failedItems.failedAt,
        deadLetterId: deadLetters.id,
      })
      .from(failedItems)
      .innerJoin(importBatches, eq(importBatches.id, failedItems.batchId))
      .innerJoin(importFeeds, eq(importFeeds.id, importBatches.feedId))
      .leftJoin(deadLetters, open)
      .where(
        and(
          eq(failedItems.importId, importId),
          isNull(failedItems.postId),
          feedId === undefined ? undefined : eq(importBatches.feedId, feedId),
          after === undefined ? undefined : gt(failedItems.id, after),
        ),
      )
      .orderBy(failedItems.id)
      .limit(limit);
  }
}

/** Reads status by status, in the order of the index, because sorting a long list for each page would be slow. */
async function feedPage(
  db: Db,
  importId: string,
  { statuses, after, limit }: Page & { statuses: readonly FeedStatus[] },
): Promise<ImportFeed[]> {
  return db
    .select()
    .from(importFeeds)
    .where(
      sql`${importFeeds.id} = ANY(ARRAY(
        SELECT feed.id FROM unnest(${sql.param([...statuses])}::text[]) AS wanted (status) CROSS JOIN LATERAL (
          SELECT id FROM ${importFeeds} AS one
          WHERE one.import_id = ${importId} AND one.status = wanted.status AND one.id > ${after ?? '0'}
          ORDER BY one.id LIMIT ${limit}
        ) AS feed ORDER BY feed.id LIMIT ${limit}))`,
    )
    .orderBy(importFeeds.id);
}

/** The index supports equality only. */
function matches(query: FieldQuery): SQL {
  if ('term' in query) return arrayContains(importItems.fieldTerms, [query.term]);
  return sql`EXISTS (SELECT FROM unnest(${importItems.fieldTerms}) AS term WHERE starts_with(term, ${query.beginning}))`;
}
