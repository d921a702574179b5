import { Injectable } from '@nestjs/common';
import { and, eq, exists, gt, ilike, or, type SQL, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { scrapeParts } from '../jobs/scrape-parts.table.js';
import { type LeadRow, leadFinds, rawLeads } from './raw-leads.table.js';

export interface Which {
  userId: string;
  /** Restricts to leads that this job found, whether or not they were stored before. */
  scrapeJobId?: string | undefined;
  onlyNew?: boolean | undefined;
  /** A case-insensitive part of any of the lead's texts. */
  q?: string | undefined;
  sourceType?: string | undefined;
  country?: string | undefined;
}

const EXPORTED_BATCH_SIZE = 500;

@Injectable()
export class LeadListsStore {
  constructor(private readonly database: Database) {}

  async list(which: Which, { after, limit }: { after?: string | undefined; limit: number }): Promise<LeadRow[]> {
    return this.database.db
      .select()
      .from(rawLeads)
      .where(and(this.matching(which), after === undefined ? undefined : gt(rawLeads.id, after)))
      .orderBy(rawLeads.id)
      .limit(limit);
  }

  /** Reads leads page by page, so that an export is never held in memory as a whole. */
  async *all(which: Which): AsyncGenerator<LeadRow> {
    for (let after: string | undefined; ; ) {
      const leads = await this.list(which, { after, limit: EXPORTED_BATCH_SIZE });
      yield* leads;
      if (leads.length < EXPORTED_BATCH_SIZE) return;
      after = leads.at(-1)?.id;
    }
  }

  private matching({ userId, scrapeJobId, onlyNew, q, sourceType, country }: Which): SQL | undefined {
    return and(
      eq(rawLeads.userId, userId),
      scrapeJobId === undefined ? undefined : this.foundBy(scrapeJobId, onlyNew ?? false),
      q === undefined ? undefined : mentions(q),
      sourceType === undefined ? undefined : eq(rawLeads.sourceType, sourceType),
      country === undefined ? undefined : eq(rawLeads.country, country.toUpperCase()),
    );
  }

  private foundBy(scrapeJobId: string, onlyNew: boolean): SQL {
    return exists(
      this.database.db
        .select({ one: sql`1` })
        .from(leadFinds)
        .innerJoin(scrapeParts, eq(scrapeParts.id, leadFinds.partId))
        .where(
          and(
            eq(leadFinds.leadId, rawLeads.id),
            eq(scrapeParts.scrapeJobId, scrapeJobId),
            onlyNew ? eq(leadFinds.duplicate, false) : undefined,
          ),
        ),
    );
  }
}

function mentions(q: string): SQL | undefined {
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const { name, domain, address, description, url, emails, phones } = rawLeads;
  return or(
    ...[name, domain, address, description, url].map((column) => ilike(column, part)),
    sql`array_to_string(${emails}, ' ') ILIKE ${part}`,
    sql`array_to_string(${phones}, ' ') ILIKE ${part}`,
  );
}
