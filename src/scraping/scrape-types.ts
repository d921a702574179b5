import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config.js';
import { type Criteria, ScrapeFailure, type Scraper } from './scraper.js';
import { scrapersFor } from './scrapers.js';

interface Refusal {
  /** The position in the requested source types. */
  at: number;
  /** The invalid field, if it is not the source type itself. */
  path?: string | undefined;
  message: string;
}

/** The source types that this installation can search. */
@Injectable()
export class ScrapeTypes {
  private readonly scrapers: ReadonlyMap<string, Scraper>;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.scrapers = new Map(scrapersFor(config).map((scraper) => [scraper.type, scraper]));
  }

  /** Fails with a ScrapeFailure, because the configuration may have changed since the job was created. */
  usable(type: string, criteria: Criteria): Scraper {
    const refusal = this.refusal(type, criteria);
    const scraper = this.scrapers.get(type);
    if (!scraper || refusal) throw new ScrapeFailure(refusal?.message ?? `"${type}" is not known here`);
    return scraper;
  }

  /** Returns the reasons why a job cannot be created, for each source type concerned. */
  refusals(types: string[], criteria: Criteria): Refusal[] {
    return types.flatMap((type, at) => {
      const refusal = this.refusal(type, criteria);
      return refusal ? [{ at, ...refusal }] : [];
    });
  }

  private refusal(type: string, criteria: Criteria): Omit<Refusal, 'at'> | undefined {
    const scraper = this.scrapers.get(type);
    if (!scraper) return { message: `"${type}" is not known here; known are ${[...this.scrapers.keys()].join(', ')}` };
    if (scraper.remote && !this.config.rabbitmqUrl)
      return { message: `"${type}" is searched by a worker over RabbitMQ: RABBITMQ_URL is not set` };
    const missing = scraper.missing?.(this.config) ?? [];
    if (missing.length) return { message: `"${type}" cannot be searched here: ${missing.join(' and ')} must be set` };
    return scraper.refuse?.(criteria);
  }
}
