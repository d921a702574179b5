import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { eq, inArray, sql } from 'drizzle-orm';
import type { ScrapeJobResult } from '../../contracts/scrape-job-result.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { storableText } from '../../platform/jobs/storable.js';
import { redactText } from '../../platform/redact.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { scrapePartJob } from '../jobs/scrape.job.js';
import { ScrapeJobsStore } from '../jobs/scrape-jobs.store.js';
import { isEnded, type ScrapeJobRow, scrapeJobs } from '../jobs/scrape-jobs.table.js';
import { type ScrapePart, scrapeParts } from '../jobs/scrape-parts.table.js';
import { CountedLeads } from '../leads/counted-leads.js';
import { LeadsStore } from '../leads/leads.store.js';
import { ExternalJobsStore } from './external-jobs.store.js';

/** Results of a job that are recognised when they are delivered again. */
const MAX_HASHES = 1_000;

const NO_REASON = {
  running: undefined,
  completed: undefined,
  partial: 'some of it could not be searched; the worker does not say what',
  failed: 'the worker reported a failure without a reason',
};

type Recorded = { kind: 'stored' | 'repeated' | 'cancelled' } | { kind: 'refused'; breach: string };

interface LockedJob {
  job: ScrapeJobRow;
  parts: ScrapePart[];
}

/** Every transaction locks parts before their job, as in `ScrapeJobsStore`. */
@Injectable()
export class JobResultsStore {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: ScrapeJobsStore,
    private readonly external: ExternalJobsStore,
    private readonly leads: LeadsStore,
  ) {}

  /** Stores the leads and the status of a result. A result that is delivered again changes nothing. */
  async record(result: ScrapeJobResult): Promise<Recorded> {
    return this.database.transaction(async (db) => {
      const locked = await lock(db, result.job_id);
      if (!locked) return { kind: 'refused', breach: `job_id: there is no job ${result.job_id}` };
      const { job } = locked;
      const hash = hashOf(result);
      if (job.resultHashes.includes(hash)) return { kind: 'repeated' };
      if (job.status === 'cancelled') return { kind: 'cancelled' };
      const parts = partsOf(result, locked);
      if (!parts.length) return { kind: 'refused', breach: unknownType(result, job) };
      await this.addLeads(db, result, { job, parts });
      await this.setStatuses(db, result, { job, parts });
      const resultHashes = [...job.resultHashes, hash].slice(-MAX_HASHES);
      const answerBy = new Date(databaseTime.nowMs() + this.config.scrapeResultTimeoutMs);
      await db.update(scrapeJobs).set({ resultHashes, answerBy }).where(eq(scrapeJobs.id, job.id));
      return { kind: 'stored' };
    });
  }

  /** Ends the job after a result that breaks the contract. */
  async gaveUp(jobId: string, breach: string): Promise<void> {
    await this.database.transaction(async (db) => {
      const locked = await lock(db, jobId);
      const open = locked?.parts.filter(isOpen) ?? [];
      if (!locked || !open.length) return;
      await withdraw(db, open);
      const reason = `the worker broke the contract: ${clean(breach)}`;
      await this.external.gaveUp(db, locked.job, open, { reason, at: databaseTime.now() });
    });
  }

  private async addLeads(db: Db, result: ScrapeJobResult, { job, parts }: LockedJob): Promise<void> {
    const leftOut = Math.max(0, (result.counts?.total_found ?? 0) - result.leads.length);
    for (const [at, part] of parts.entries()) {
      const capacity = Math.max(0, this.config.scrapeMostLeads - part.processed);
      const counted = new CountedLeads(job.keywords);
      const leads = counted.take(result.leads.filter((lead) => partOf(lead, parts) === part).slice(0, capacity));
      const found = counted.found + (at === 0 ? leftOut : 0);
      const { repeated } = counted;
      const owned = { ...part, userId: job.userId };
      await this.leads.add(db, owned, { leads, found, repeated, at: databaseTime.now() });
      // The end of the part depends on it.
      part.found += found;
    }
  }

  /** Only parts that are open, or for which waiting ended too early, change their status. */
  private async setStatuses(db: Db, result: ScrapeJobResult, { job, parts }: LockedJob): Promise<void> {
    const isFinal = result.status !== 'running';
    const changing = parts.filter((part) => isOpen(part) || (isFinal && job.gaveUpAt && part.status === 'failed'));
    const now = databaseTime.now();
    const startedAt = sql`coalesce(${scrapeParts.startedAt}, ${now})`;
    for (const part of changing) {
      const change = isFinal ? { ...endOf(result, part, parts), completedAt: now } : RUNNING;
      await db
        .update(scrapeParts)
        .set({ ...change, startedAt })
        .where(eq(scrapeParts.id, part.id));
    }
    if (isFinal && changing.length) await withdraw(db, changing);
    await this.jobs.updateStatus(db, job.id, now);
  }
}

const RUNNING = { status: 'running', error: null } as const;

const isOpen = ({ status }: ScrapePart) => !isEnded(status);

async function lock(db: Db, jobId: string): Promise<LockedJob | undefined> {
  const [known] = await db.select({ id: scrapeJobs.id }).from(scrapeJobs).where(eq(scrapeJobs.jobId, jobId));
  if (!known) return undefined;
  const ofJob = eq(scrapeParts.scrapeJobId, known.id);
  const parts = await db.select().from(scrapeParts).where(ofJob).orderBy(scrapeParts.id).for('update');
  const [job] = await db.select().from(scrapeJobs).where(eq(scrapeJobs.id, known.id)).for('no key update');
  return job && { job, parts };
}

async function withdraw(db: Db, parts: ScrapePart[]): Promise<void> {
  const ids = parts.map(({ id }) => id);
  await scrapePartJob.rows.withdraw(db, inArray(scrapeParts.id, ids));
}

const sameType = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function partsOf({ source_type: type }: ScrapeJobResult, { parts }: LockedJob): ScrapePart[] {
  return type === undefined ? parts : parts.filter(({ sourceType }) => sameType(sourceType, type));
}

/** A lead whose source type is missing or unknown counts for the first one of the result. */
function partOf({ source_type: type }: ScrapeJobResult['leads'][0], parts: ScrapePart[]): ScrapePart | undefined {
  return parts.find(({ sourceType }) => type !== undefined && sameType(sourceType, type)) ?? parts[0];
}

const unknownType = ({ source_type: type }: ScrapeJobResult, { sourceTypes }: ScrapeJobRow) =>
  `source_type: the job does not search "${type}", only ${sourceTypes.join(', ')}`;

/** Of several source types, those without leads are the ones that could not be searched. */
function endOf({ status, error }: ScrapeJobResult, part: ScrapePart, parts: ScrapePart[]) {
  const isSilent = ({ found }: ScrapePart) => parts.length > 1 && found === 0;
  const isFailed = status === 'failed' || (status === 'partial' && isSilent(part));
  const isAboutOthers = status === 'partial' && !isFailed && parts.some(isSilent);
  const reason = isAboutOthers ? '' : clean(error || NO_REASON[status] || '');
  return { status: isFailed ? ('failed' as const) : ('completed' as const), error: reason || null };
}

const clean = (text: string) => redactText(storableText(text));

/** The time at which a message was written is no part of the result. */
const hashOf = (result: ScrapeJobResult) => createHash('sha256').update(JSON.stringify(result)).digest('base64url');
