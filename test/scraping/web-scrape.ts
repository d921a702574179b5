import { afterAll } from 'vitest';
import type { RequestOptions } from '../../src/platform/http/http-client.js';
import { PageReader } from '../../src/scraping/crawler/page-reader.js';
import type { FoundLead } from '../../src/scraping/leads/lead.js';
import type { ReadPage, ScraperTools } from '../../src/scraping/scraper.js';
import { webScraper } from '../../src/scraping/scrapers/web.js';
import { testDatabase } from '../harness/database.js';
import { outgoingClient } from '../harness/outgoing.js';

interface Choices {
  sites: string[];
  maxPages?: number;
  filters?: Record<string, unknown>;
  allowNetworks?: string[];
  signal?: AbortSignal;
  readPage?: ReadPage;
  maxMs?: number;
  /** Called for each request. */
  onGet?: (options: RequestOptions | undefined) => void;
}

/** Scrapes web sites with the real scraper. Call it once at the top of a test file. */
export function webScraping() {
  const db = testDatabase();
  const reader = new PageReader();
  afterAll(() => reader.onApplicationShutdown());

  function newScrape({ sites, maxPages, filters: more, allowNetworks = ['127.0.0.1'], ...choices }: Choices) {
    const pauses: number[] = [];
    const { maxMs, onGet } = choices;
    const scraper = webScraper({ pause: async (ms) => void pauses.push(ms), ...(maxMs !== undefined && { maxMs }) });
    const client = outgoingClient(db.database, { allowNetworks });
    const get: ScraperTools['http']['get'] = (url, options) => {
      onGet?.(options);
      return client.get(url, options);
    };
    const tools: ScraperTools = {
      http: { get, request: (url, options) => client.request(url, options) },
      config: { googleUrl: '', crunchbaseUrl: '', overpassUrl: '' },
      signal: choices.signal ?? new AbortController().signal,
      now: new Date(),
      readPage: choices.readPage ?? ((page) => reader.read(page)),
      askWorker: () => Promise.reject(new Error('nobody is there')),
    };
    const filters = { sites, ...(maxPages && { maxPages }), ...more };
    return { pauses, leads: scraper.scrape({ keywords: [], filters }, tools) };
  }

  async function scrape(choices: Choices): Promise<FoundLead[]> {
    const leads: FoundLead[] = [];
    for await (const lead of newScrape(choices).leads) leads.push(lead);
    return leads;
  }

  return { newScrape, scrape };
}
