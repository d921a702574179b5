import { askAgain } from '../contracts/remote-error.js';
import type { Config } from '../platform/config.js';
import { type Criteria, defineScraper, ScrapeFailure, type Scraper, type ScraperTools } from './scraper.js';
import { crunchbase } from './scrapers/crunchbase.js';
import { google } from './scrapers/google.js';
import { linkedin } from './scrapers/linkedin.js';
import { openstreetmap } from './scrapers/openstreetmap.js';
import { web } from './scrapers/web.js';

const MAX_PAGES = 100;

const SCRAPERS: readonly Scraper[] = [google, crunchbase, linkedin, openstreetmap, web];

/** A worker may replace a built-in scraper. */
export function scrapersFor({ remoteScrapers }: Pick<Config, 'remoteScrapers'>): Scraper[] {
  const remote = new Set(remoteScrapers);
  return [...SCRAPERS.filter(({ type }) => !remote.has(type)), ...remoteScrapers.map(remoteScraper)];
}

const remoteScraper = (type: string): Scraper =>
  defineScraper({
    type,
    name: type,
    remote: true,
    async *scrape(criteria, tools) {
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const { leads, nextCursor } = await nextPage(type, { ...criteria, cursor }, tools);
        yield* leads;
        if (nextCursor === undefined || nextCursor === cursor) return;
        cursor = nextCursor;
      }
    },
  });

async function nextPage(type: string, question: Criteria & { cursor: string | undefined }, tools: ScraperTools) {
  const result = await tools.askWorker(type, question);
  if (result.status === 'success') {
    const { leads, nextCursor, hasMore } = result.data;
    return { leads, nextCursor: hasMore ? nextCursor : undefined };
  }
  const { message, code } = result.error;
  const words = message || `the worker for ${type} failed with ${code}`;
  throw new ScrapeFailure(words, askAgain(result.error, tools.now));
}
