import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { RetryLater } from '../../platform/jobs/outcomes.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundLead, Lead } from '../leads/lead.js';
import { leadHash } from '../leads/lead-hash.js';
import { LeadsStore, NoLongerWanted } from '../leads/leads.store.js';
import { matchesKeywords } from '../leads/matches-keywords.js';
import { normaliseLead } from '../leads/normalise-lead.js';
import { failureOf } from '../scrape-failure.js';
import { ScrapeTypes } from '../scrape-types.js';
import { ScrapeFailure } from '../scraper.js';
import { SearchTools } from '../search-tools.js';
import { Cancellations } from './cancellations.js';
import { inBatches } from './in-batches.js';
import { nextTry } from './next-try.js';
import { type ScrapePartJob, type SearchResult, scrapePartJob } from './scrape.job.js';
import { type PartWithCriteria, SearchesStore } from './searches.store.js';
import { untilAborted } from './until-aborted.js';

const BATCH = { most: 25, everyMs: 1_000 };

/**
 * Searches one part: runs the scraper, stores leads that match the keywords as they arrive, and records the outcome.
 */
@Injectable()
@Handles(scrapePartJob)
export class ScrapeWorker implements JobHandler<ScrapePartJob> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly searches: SearchesStore,
    private readonly leads: LeadsStore,
    private readonly types: ScrapeTypes,
    private readonly tools: SearchTools,
    private readonly cancellations: Cancellations,
    private readonly clock: Clock,
  ) {}

  async run({ partId }: ScrapePartJob, run: JobRun<SearchResult>) {
    const part = await this.searches.find(partId);
    if (!part) return;
    // The watch starts first, so that no cancellation is missed in between.
    await this.cancellations.watch(part.scrapeJobId, async (cancelled) => {
      if (await this.searches.begin(part, this.clock.now())) await this.perform(part, run, cancelled);
    });
  }

  private async perform(part: PartWithCriteria, run: JobRun<SearchResult>, cancelled: AbortSignal): Promise<void> {
    run.report({ target: part.sourceType });
    try {
      const found = await this.search(part, [run.signal, cancelled]);
      await run.commit((db) => this.searches.end(db, part, { status: 'completed' }, this.clock.now()));
      run.report({ result: found ? 'found' : 'nothing_found', details: { found } });
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof NoLongerWanted) return run.report({ result: 'cancelled' });
      const failure = failureOf(error);
      if (!failure) throw error;
      const mayPass = this.mayPass(failure, part, run);
      run.report({ result: failure.isPartial && !mayPass ? 'partial' : 'failed', reason: failure.message });
      if (mayPass) throw error;
      const end = { status: failure.isPartial ? 'completed' : 'failed', error: reasonOf(failure) } as const;
      await run.commit((db) => this.searches.end(db, part, end, this.clock.now()));
    }
  }

  /**
   * Tells whether the queue should retry. If the source has named a time that is early enough, the retry is postponed
   * until then.
   */
  private mayPass({ message, retryable, until }: ScrapeFailure, { startedAt }: PartWithCriteria, run: JobRun): boolean {
    if (!until) return retryable && !run.isLastAttempt;
    const now = this.clock.now();
    const again = nextTry({ until, startedAt: startedAt ?? now, now, timeoutMs: this.config.scrapeTimeoutMs });
    if (again) throw new RetryLater(again, message);
    return false;
  }

  async failed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.searches.find(partId, db);
    if (part) await this.searches.end(db, part, { status: 'failed', error: OUR_MISTAKE }, this.clock.now());
  }

  async replayed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.searches.find(partId, db);
    if (part) await this.searches.reopen(db, part, this.clock.now());
  }

  private async search(part: PartWithCriteria, signals: AbortSignal[]): Promise<number> {
    const { criteria, sourceType } = part;
    const limit = timeLimit(this.config.scrapeTimeoutMs, signals);
    const { signal } = limit;
    const scraper = this.types.usable(sourceType, criteria);
    const found = untilAborted(scraper.scrape(criteria, this.tools.for(signal)), signal);
    const showing = new ShownLeads(criteria.keywords);
    try {
      for await (const batch of inBatches(found, BATCH)) {
        for (const told of signals) told.throwIfAborted();
        const leads = showing.take(batch.slice(0, this.config.scrapeMostLeads - showing.shown));
        const { shown, repeated } = showing;
        await this.leads.save(part, { leads, shown, repeated, at: this.clock.now() });
        if (shown >= this.config.scrapeMostLeads) break;
      }
    } catch (error) {
      throw limit.reason() ?? error;
    }
    return showing.shown;
  }
}

function reasonOf({ message, until }: ScrapeFailure): string {
  const then = until?.toISOString();
  const wish = then && !message.includes(then) ? `; it wants to be left alone until ${then}` : '';
  return storableText(message + wish);
}

/** Returns a signal that aborts with any of the others or after `ms`. */
function timeLimit(ms: number, signals: AbortSignal[]) {
  const timeout = AbortSignal.timeout(ms);
  return {
    signal: AbortSignal.any([...signals, timeout]),
    /** Returns the reason of the abort, if there was one, whatever error the scraper made of it. */
    reason(): unknown {
      const told = signals.find(({ aborted }) => aborted);
      if (told) return told.reason;
      const minutes = Math.round(ms / 60_000);
      const allowed = minutes < 1 ? `${ms / 1_000} seconds` : `${minutes} minutes`;
      return timeout.aborted
        ? new ScrapeFailure(`not done within ${allowed}; what was found until then is kept`)
        : undefined;
    },
  };
}

/** Counts the leads of one search, and selects those that match the keywords, each company once. */
class ShownLeads {
  shown = 0;
  /** Leads that match the keywords, but repeat a company of this search. */
  repeated = 0;
  private readonly hashes = new Set<string>();

  constructor(private readonly keywords: string[]) {}

  /** Returns the selected leads by their hashes. */
  take(found: FoundLead[]): Map<string, Lead> {
    this.shown += found.length;
    const taken = new Map<string, Lead>();
    for (const lead of found.flatMap((one) => normaliseLead(one) ?? [])) {
      if (!matchesKeywords(lead, this.keywords)) continue;
      const hash = leadHash(lead);
      if (this.hashes.has(hash)) this.repeated += 1;
      else taken.set(hash, lead);
      this.hashes.add(hash);
    }
    return taken;
  }
}
