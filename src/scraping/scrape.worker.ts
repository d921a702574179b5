import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import type { Db } from '../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../platform/queue/job-handler.js';
import { RetryLater } from '../platform/queue/outcomes.js';
import { Cancellations } from './cancellations.js';
import { inBatches } from './in-batches.js';
import type { FoundLead } from './lead.js';
import { LeadsStore, NoLongerWanted } from './leads/leads.store.js';
import { matchesKeywords } from './leads/matches-keywords.js';
import { normaliseLead } from './leads/normalise-lead.js';
import { type ScrapePartJob, scrapePartJob } from './scrape.job.js';
import { failureOf } from './scrape-failure.js';
import { ScrapeTypes } from './scrape-types.js';
import { SearchTools } from './search-tools.js';
import { type Search, SearchesStore } from './searches.store.js';
import { timeLimit } from './time-limit.js';

const BATCH = { most: 25, everyMs: 1_000 };
const OUR_MISTAKE = 'something went wrong in Millrace itself; its administrators can see what';

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

  async run({ partId }: ScrapePartJob, run: JobRun) {
    const search = await this.searches.find(partId);
    if (!search || !(await this.searches.begin(search, this.clock.now()))) return;
    try {
      await this.cancellations.watch(search.scrapeJobId, (cancelled) => this.search(search, [run.signal, cancelled]));
      await run.commit((db) => this.searches.end(db, search, { status: 'completed' }, this.clock.now()));
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof NoLongerWanted) return;
      const failure = failureOf(error);
      if (failure?.until && failure.until < this.latest(search)) throw new RetryLater(failure.until, failure.message);
      if (!failure || (failure.retryable && !run.isLastAttempt)) throw error;
      const end = { status: 'failed', error: failure.message } as const;
      await run.commit((db) => this.searches.end(db, search, end, this.clock.now()));
    }
  }

  async failed(db: Db, { partId }: ScrapePartJob) {
    const search = await this.searches.find(partId);
    if (search) await this.searches.end(db, search, { status: 'failed', error: OUR_MISTAKE }, this.clock.now());
  }

  async replayed(db: Db, { partId }: ScrapePartJob) {
    const search = await this.searches.find(partId);
    if (search) await this.searches.reopen(db, search, this.clock.now());
  }

  /** Who asks to be left alone for a while is asked again, if that is soon enough. */
  private latest({ startedAt }: Search): Date {
    return new Date((startedAt ?? this.clock.now()).getTime() + this.config.scrapeTimeoutMs);
  }

  private async search(search: Search, signals: AbortSignal[]): Promise<void> {
    const { criteria, sourceType } = search;
    const limit = timeLimit(this.config.scrapeTimeoutMs, signals);
    const { signal } = limit;
    const tools = this.tools.for(signal, this.clock.now());
    const scraper = this.types.get(sourceType);
    let shown = 0;
    try {
      for await (const batch of inBatches(scraper.scrape(criteria, tools), BATCH)) {
        for (const told of signals) told.throwIfAborted();
        const left = batch.slice(0, this.config.scrapeMostLeads - shown);
        shown += left.length;
        await this.leads.save(search, { leads: wanted(left, criteria.keywords), shown, at: this.clock.now() });
        if (shown >= this.config.scrapeMostLeads) return;
      }
    } catch (error) {
      throw limit.reason() ?? error;
    }
  }
}

function wanted(found: FoundLead[], keywords: string[]) {
  return found.flatMap((one) => normaliseLead(one) ?? []).filter((lead) => matchesKeywords(lead, keywords));
}
