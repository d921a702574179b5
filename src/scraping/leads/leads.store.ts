import { Injectable } from '@nestjs/common';
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { scrapeJobChanged } from '../jobs/scrape-job-changed.event.js';
import { scrapeParts } from '../jobs/scrape-parts.table.js';
import type { Lead } from './lead.js';
import { LeadMetrics } from './lead-metrics.js';
import { leadFinds, rawLeads } from './raw-leads.table.js';

/** The part of a job that finds leads. */
export interface Finder {
  id: string;
  scrapeJobId: string;
  userId: string;
  sourceType: string;
}

interface Found {
  /** By their hashes. */
  leads: Map<string, Lead>;
  /** All that the source has shown so far, also what did not meet the keywords. */
  shown: number;
  /** What it has shown more than once so far. */
  repeated: number;
  at: Date;
}

/** The part was cancelled, or somebody else has ended it: what it finds is not wanted any more. */
export class NoLongerWanted extends Error {
  override readonly name = 'NoLongerWanted';
}

@Injectable()
export class LeadsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly metrics: LeadMetrics,
  ) {}

  /** Stores what is new, links what is known, and counts anew; the same again changes nothing. */
  async save(finder: Finder, found: Found): Promise<void> {
    const stored = await this.database.transaction(async (db) => {
      await holdWanted(db, finder.id);
      const stored = found.leads.size ? await this.link(db, finder, found) : 0;
      await countAnew(db, finder.id, found);
      await this.events.publish(db, scrapeJobChanged, { scrapeJobId: finder.scrapeJobId });
      return stored;
    });
    this.metrics.found(finder.sourceType, stored);
  }

  /** Returns how many are new. */
  private async link(db: Db, { id, userId, sourceType }: Finder, { leads, at }: Found): Promise<number> {
    // In one order for all, so that two who find the same do not wait for each other.
    const hashes = [...leads.keys()].toSorted();
    const rows = hashes.flatMap((contentHash) => {
      const lead = leads.get(contentHash);
      return lead ? [{ ...lead, userId, contentHash, sourceType, scrapedAt: at }] : [];
    });
    const { id: leadId, contentHash } = rawLeads;
    const stored = await db.insert(rawLeads).values(rows).onConflictDoNothing().returning({ leadId });
    const isNew = new Set(stored.map(({ leadId }) => leadId));
    const all = await db
      .select({ leadId })
      .from(rawLeads)
      .where(and(eq(rawLeads.userId, userId), inArray(contentHash, hashes)));
    await db
      .insert(leadFinds)
      .values(all.map(({ leadId }) => ({ partId: id, leadId, duplicate: !isNew.has(leadId) })))
      .onConflictDoNothing();
    return isNew.size;
  }
}

async function holdWanted(db: Db, partId: string): Promise<void> {
  const [part] = await db
    .select({ status: scrapeParts.status })
    .from(scrapeParts)
    .where(eq(scrapeParts.id, partId))
    .for('update');
  if (part?.status !== 'running') throw new NoLongerWanted(`the part is ${part?.status ?? 'gone'}`);
}

/** A try that comes less far than the one before takes nothing back. */
async function countAnew(db: Db, partId: string, { shown, repeated }: Found): Promise<void> {
  const [counted] = await db
    .select({ finds: count(), known: sql<number>`count(*) FILTER (WHERE ${leadFinds.duplicate})::int` })
    .from(leadFinds)
    .where(eq(leadFinds.partId, partId));
  const { finds = 0, known = 0 } = counted ?? {};
  const { found, processed, duplicates } = scrapeParts;
  await db
    .update(scrapeParts)
    .set({
      found: sql`greatest(${found}, ${processed}, ${shown}::int, ${finds + repeated}::int)`,
      processed: sql`greatest(${processed}, ${finds + repeated}::int)`,
      duplicates: sql`greatest(${duplicates}, ${known + repeated}::int)`,
    })
    .where(eq(scrapeParts.id, partId));
}
