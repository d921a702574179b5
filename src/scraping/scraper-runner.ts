import { Inject, Injectable } from '@nestjs/common';
import type { ScrapeCriteria } from '../contracts/scrape-job-message.js';
import { CONFIG, type Config } from '../platform/config.js';
import { HttpClient } from '../platform/http/http-client.js';
import { Clock } from '../platform/time/clock.js';
import { inBatches, untilAborted } from './async-iteration.js';
import { PageReader } from './crawler/page-reader.js';
import { toCriteria } from './jobs/scrape-criteria.js';
import { WorkerSearches } from './jobs/worker-searches.js';
import type { FoundLead } from './leads/lead.js';
import { type Criteria, ScrapeFailure, type Scraper, type ScraperTools } from './scraper.js';
import { scrapersFor } from './scrapers.js';

const BATCH = { maxItems: 25, intervalMs: 1_000 };

interface Refusal {
  path: (string | number)[];
  message: string;
}

const NO_BROKER: Refusal = {
  path: ['source_types'],
  message: 'scrape jobs are published to RabbitMQ here, because MILLRACE_SCRAPE_INTAKE is off: RABBITMQ_URL is not set',
};

@Injectable()
export class ScraperRunner {
  private readonly scrapers: ReadonlyMap<string, Scraper>;

  readonly timeoutMs: number;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly pages: PageReader,
    private readonly workers: WorkerSearches,
    private readonly clock: Clock,
  ) {
    this.timeoutMs = config.scrapeTimeoutMs;
    this.scrapers = new Map(scrapersFor(config).map((scraper) => [scraper.type, scraper]));
  }

  refusals(criteria: ScrapeCriteria): Refusal[] {
    if (this.isExternal) return this.config.rabbitmqUrl ? [] : [NO_BROKER];
    return criteria.source_types.flatMap((type, at) => {
      const refusal = this.refusal(type, toCriteria(criteria));
      return refusal ? [{ path: refusal.path ? [refusal.path] : ['source_types', at], message: refusal.message }] : [];
    });
  }

  /** A worker of another service searches, which alone knows its source types and filters. */
  private get isExternal(): boolean {
    return this.config.scrapeIntake === 'off';
  }

  /** Returns the names of filters that have a value but no effect on this source type. */
  ignoredFilters(type: string, filters: Criteria['filters']): string[] {
    const applied = this.isExternal ? undefined : this.scrapers.get(type)?.filters;
    const given = Object.keys(filters).filter((name) => filters[name] !== undefined && filters[name] !== null);
    return applied ? given.filter((name) => !applied.includes(name)).sort() : [];
  }

  /** Yields leads in batches. It fails with the reason of whichever signal aborts, whatever the scraper makes of it. */
  async *run(type: string, criteria: Criteria, signals: AbortSignal[]): AsyncGenerator<FoundLead[]> {
    const { scrapeMostLeads: maxLeads } = this.config;
    // The configuration may have changed since the job was created.
    const refusal = this.refusal(type, criteria);
    const scraper = this.scrapers.get(type);
    if (!scraper || refusal) throw new ScrapeFailure(refusal?.message ?? `"${type}" is not known here`);
    const limit = timeLimit(this.timeoutMs, signals);
    const found = untilAborted(scraper.scrape(criteria, this.tools(limit.signal)), limit.signal);
    let count = 0;
    try {
      for await (const batch of inBatches(found, BATCH)) {
        for (const signal of signals) signal.throwIfAborted();
        const leads = batch.slice(0, maxLeads - count);
        count += leads.length;
        yield leads;
        if (count >= maxLeads) return;
      }
    } catch (error) {
      throw limit.reason() ?? error;
    }
  }

  private refusal(type: string, criteria: Criteria): { path?: string; message: string } | undefined {
    const scraper = this.scrapers.get(type);
    if (!scraper) return { message: `"${type}" is not known here; known are ${[...this.scrapers.keys()].join(', ')}` };
    if (scraper.remote && !this.config.rabbitmqUrl)
      return { message: `"${type}" is searched by a worker over RabbitMQ: RABBITMQ_URL is not set` };
    const missing = scraper.missing?.(this.config) ?? [];
    if (missing.length) return { message: `"${type}" cannot be searched here: ${missing.join(' and ')} must be set` };
    return scraper.refuse?.(criteria);
  }

  private tools(signal: AbortSignal): ScraperTools {
    const { config, http, clock } = this;
    return {
      config,
      http,
      signal,
      get now() {
        return clock.now();
      },
      readPage: (page) => this.pages.read(page),
      askWorker: (type, question) => this.workers.ask(type, question, signal),
    };
  }
}

function timeLimit(ms: number, signals: AbortSignal[]) {
  const timeout = AbortSignal.timeout(ms);
  return {
    signal: AbortSignal.any([...signals, timeout]),
    reason(): unknown {
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted) return aborted.reason;
      const minutes = Math.round(ms / 60_000);
      const allowed = minutes < 1 ? `${ms / 1_000} seconds` : `${minutes} minutes`;
      return timeout.aborted
        ? new ScrapeFailure(`not done within ${allowed}; what was found until then is kept`)
        : undefined;
    },
  };
}
