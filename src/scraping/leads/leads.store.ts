import { Inject, Injectable } from '@nestjs/common';
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { scrapeJobChanged } from '../jobs/scrape-jobs.events.js';
import { scrapeParts } from '../jobs/scrape-parts.table.js';
import { scrapersFor } from '../scrapers.js';
import type { Lead } from './lead.js';
import { leadFinds, rawLeads } from './raw-leads.table.js';

export interface PartRef {
  id: string;
  scrapeJobId: string;
  userId: string;
  sourceType: string;
}

interface FoundLeads {
  leads: Map<string, Lead>;
  /** The number of leads that the source has returned so far, including those that do not match the keywords. */
  found: number;
  repeated: number;
  at: Date;
}

/** External workers may report any count. The sum over the 20 parts of a job must fit into an integer of PostgreSQL. */
const MAX_COUNT = 100_000_000;

/** The part was cancelled or ended by another process, so its leads are no longer stored. */
export class PartEnded extends Error {
  override readonly name = 'PartEnded';
}

@Injectable()
export class LeadsStore {
  private readonly newLeads;
  /** External workers may search for types with any name, and each label is kept forever. */
  private readonly types: ReadonlySet<string>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    metrics: Metrics,
    @Inject(CONFIG) config: Config,
  ) {
    this.types = new Set(scrapersFor(config).map(({ type }) => type));
    this.newLeads = metrics.counter({
      name: 'leads_found_total',
      help: 'Leads that were new to the user.',
      labels: ['type'],
      known: { type: [...this.types] },
    });
  }

  /** Stores new leads, links known ones and updates the counts. A repeated call changes nothing. */
  async save(part: PartRef, found: FoundLeads): Promise<void> {
    const stored = await this.database.transaction(async (db) => {
      await lockRunning(db, part.id);
      const stored = found.leads.size ? await this.link(db, part, found) : 0;
      await updateCounts(db, part.id, found);
      await this.events.publish(db, scrapeJobChanged, { scrapeJobId: part.scrapeJobId });
      return stored;
    });
    this.newLeads.inc({ type: part.sourceType }, stored);
  }

  /** Stores the leads of one result of an external worker. Unlike `save`, a repeated call counts them again. */
  async add(db: Db, part: PartRef, { leads, found, repeated, at }: FoundLeads): Promise<void> {
    const isNew = leads.size ? await this.link(db, part, { leads, at }) : 0;
    await db
      .update(scrapeParts)
      .set({
        found: sql`least(${scrapeParts.found}::bigint + ${found}::int, ${MAX_COUNT}::int)`,
        processed: sql`${scrapeParts.processed} + ${leads.size + repeated}::int`,
        duplicates: sql`${scrapeParts.duplicates} + ${leads.size - isNew + repeated}::int`,
      })
      .where(eq(scrapeParts.id, part.id));
    this.newLeads.inc({ type: this.types.has(part.sourceType) ? part.sourceType : 'other' }, isNew);
  }

  private async link(
    db: Db,
    { id, scrapeJobId, userId, sourceType }: PartRef,
    { leads, at }: Pick<FoundLeads, 'leads' | 'at'>,
  ): Promise<number> {
    // All transactions insert in the same order, which avoids deadlocks.
    const hashes = [...leads.keys()].toSorted();
    const rows = hashes.flatMap((contentHash) => {
      const lead = leads.get(contentHash);
      return lead ? [{ ...lead, userId, scrapeJobId, contentHash, sourceType, scrapedAt: at }] : [];
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

async function lockRunning(db: Db, partId: string): Promise<void> {
  const [part] = await db
    .select({ status: scrapeParts.status })
    .from(scrapeParts)
    .where(eq(scrapeParts.id, partId))
    .for('update');
  if (part?.status !== 'running') throw new PartEnded(`the part is ${part?.status ?? 'gone'}`);
}

/** An attempt that gets less far than the previous one does not lower the counts. */
async function updateCounts(db: Db, partId: string, { found, repeated }: FoundLeads): Promise<void> {
  const [counted] = await db
    .select({ finds: count(), known: sql<number>`count(*) FILTER (WHERE ${leadFinds.duplicate})::int` })
    .from(leadFinds)
    .where(eq(leadFinds.partId, partId));
  const { finds = 0, known = 0 } = counted ?? {};
  await db
    .update(scrapeParts)
    .set({
      found: sql`greatest(${scrapeParts.found}, ${scrapeParts.processed}, ${found}::int, ${finds + repeated}::int)`,
      processed: sql`greatest(${scrapeParts.processed}, ${finds + repeated}::int)`,
      duplicates: sql`greatest(${scrapeParts.duplicates}, ${known + repeated}::int)`,
    })
    .where(eq(scrapeParts.id, partId));
}
