import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/queue/job-handler.js';
import { RetryLater } from '../../platform/queue/outcomes.js';
import { storableText } from '../../platform/queue/storable.js';
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
import { type Search, SearchesStore } from './searches.store.js';
import { untilAborted } from './until-aborted.js';

const BATCH = { most: 25, everyMs: 1_000 };

/** One search: ask the source type, keep what meets the keywords as it comes, and record how it ended. */
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
    const search = await this.searches.find(partId);
    if (!search) return;
    // Before it begins, so that no cancellation falls between the two.
    await this.cancellations.watch(search.scrapeJobId, async (cancelled) => {
      if (await this.searches.begin(search, this.clock.now())) await this.perform(search, run, cancelled);
    });
  }

  private async perform(search: Search, run: JobRun<SearchResult>, cancelled: AbortSignal): Promise<void> {
    run.report({ target: search.sourceType });
    try {
      const found = await this.search(search, [run.signal, cancelled]);
      await run.commit((db) => this.searches.end(db, search, { status: 'completed' }, this.clock.now()));
      run.report({ result: found ? 'found' : 'nothing_found', details: { found } });
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof NoLongerWanted) return run.report({ result: 'cancelled' });
      const failure = failureOf(error);
      if (!failure) throw error;
      const mayPass = this.mayPass(failure, search, run);
      run.report({ result: failure.isPartial && !mayPass ? 'partial' : 'failed', reason: failure.message });
      if (mayPass) throw error;
      const end = { status: failure.isPartial ? 'completed' : 'failed', error: reasonOf(failure) } as const;
      await run.commit((db) => this.searches.end(db, search, end, this.clock.now()));
    }
  }

  /** Whether the queue is to try again; later, if the place asks to be left alone until a time that is soon enough. */
  private mayPass({ message, retryable, until }: ScrapeFailure, { startedAt }: Search, run: JobRun): boolean {
    if (!until) return retryable && !run.isLastAttempt;
    const now = this.clock.now();
    const again = nextTry({ until, startedAt: startedAt ?? now, now, timeoutMs: this.config.scrapeTimeoutMs });
    if (again) throw new RetryLater(again, message);
    return false;
  }

  async failed(db: Db, { partId }: ScrapePartJob) {
    const search = await this.searches.find(partId, db);
    if (search) await this.searches.end(db, search, { status: 'failed', error: OUR_MISTAKE }, this.clock.now());
  }

  async replayed(db: Db, { partId }: ScrapePartJob) {
    const search = await this.searches.find(partId, db);
    if (search) await this.searches.reopen(db, search, this.clock.now());
  }

  private async search(search: Search, signals: AbortSignal[]): Promise<number> {
    const { criteria, sourceType } = search;
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
        await this.leads.save(search, { leads, shown, repeated, at: this.clock.now() });
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

/** A signal that aborts with any of the others, or when the time is up. */
function timeLimit(ms: number, signals: AbortSignal[]) {
  const timeout = AbortSignal.timeout(ms);
  return {
    signal: AbortSignal.any([...signals, timeout]),
    /** Why it was aborted, if it was; whatever a scraper made of that. */
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

/** What a source has shown in one search: counts all of it, and picks what is wanted, each company once. */
class ShownLeads {
  shown = 0;
  /** Wanted, but companies that were among what came before. */
  repeated = 0;
  private readonly hashes = new Set<string>();

  constructor(private readonly keywords: string[]) {}

  /** By their hashes. */
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
