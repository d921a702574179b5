import type { Database } from '../../src/platform/database/database.js';
import type { FoundLead } from '../../src/scraping/leads/lead.js';
import type { Criteria, Scraper, ScraperConfig, ScraperTools } from '../../src/scraping/scraper.js';
import { outgoingClient } from '../harness/outgoing.js';

/** The tools of a scraper. Every place is at an address where nothing listens unless the test sets one. */
export function scraperTools(database: Database, config: Partial<ScraperConfig> = {}): ScraperTools {
  return {
    http: outgoingClient(database),
    config: {
      googleUrl: 'http://google.invalid/',
      crunchbaseUrl: 'http://crunchbase.invalid/',
      overpassUrl: 'http://overpass.invalid/',
      ...config,
    },
    signal: new AbortController().signal,
    now: new Date('2030-01-01T00:00:00Z'),
    readPage: () => Promise.reject(new Error('nobody reads pages here')),
    askWorker: (type) => Promise.reject(new Error(`nobody searches ${type} here`)),
  };
}

/** Criteria that contain only what the test sets. */
export const criteria = (given: Partial<Criteria> = {}): Criteria => ({ keywords: [], filters: {}, ...given });

/** Returns all leads, and the failure that ended the search, if any. */
export async function search(scraper: Scraper, given: Partial<Criteria>, tools: ScraperTools) {
  const leads: FoundLead[] = [];
  try {
    for await (const lead of scraper.scrape(criteria(given), tools)) leads.push(lead);
  } catch (failure) {
    return { leads, failure };
  }
  return { leads, failure: undefined };
}
