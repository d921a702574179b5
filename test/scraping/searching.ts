import { onTestFinished } from 'vitest';
import type { ScrapeCommand } from '../../src/contracts/scrape-command.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import type { Config } from '../../src/platform/config.js';
import { defineScraper, type Scraper } from '../../src/scraping/scraper.js';
import { ScraperRunner } from '../../src/scraping/scraper-runner.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { type Api, startApi } from '../harness/api.js';
import { TestWorker } from '../workers/test-worker.js';

const adminKey = 'an-admin-key-for-scraping-only';

interface Servers {
  databaseUrl: string;
  rabbitmqUrl: string;
}

/** Millrace with workers that search. The test chooses the answer of each scraper. */
export async function startSearching(servers: Servers, scrapers: Record<string, Search>, config: Partial<Config> = {}) {
  const { databaseUrl, rabbitmqUrl } = servers;
  const remoteScrapers = Object.keys(scrapers);
  const api = await startApi({
    databaseUrl,
    config: { rabbitmqUrl, adminKey, remoteScrapers, requestsPerMinute: 100_000, ...config },
    modules: [FetchingModule, ScrapingModule, OperationsModule],
  });
  onTestFinished(() => api.stop());
  await api.app.get(Declarations).declareAll();
  const workers = new Map<string, TestWorker>();
  for (const [type, search] of Object.entries(scrapers)) {
    const worker = await TestWorker.on(rabbitmqUrl, `scrape.${type}`, (command) => search(command as never));
    workers.set(type, worker);
  }

  const as = (user: string) => {
    const headers = { 'x-millrace-user': user };
    const send = async (method: 'GET' | 'POST', url: string, payload?: object, more: Record<string, string> = {}) => {
      const request = { method, url: `/api/v1${url}`, headers: { ...headers, ...more }, key: adminKey };
      const answer = await api.send({ ...request, ...(payload && { payload }) });
      const isJson = answer.headers['content-type']?.toString().includes('json;');
      return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers };
    };
    return {
      send,
      async post(criteria: object, more: Record<string, string> = {}) {
        const { status, body } = await send(
          'POST',
          '/jobs/scrape',
          { source_types: remoteScrapers, ...criteria },
          more,
        );
        if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
        return body;
      },
      job: async (id: string) => (await send('GET', `/jobs/scrape/${id}`)).body,
      names: async (id: string, query = '') =>
        (await send('GET', `/jobs/scrape/${id}/leads${query}`)).body.items.map(({ name }: { name: string }) => name),
    };
  };
  return { ...api, as, adminKey, workers };
}

export type Search = (command: ScrapeCommand) => unknown;

/** An answer with these companies unless the test sets another. */
export function finding(names: string[], more: object = {}): Search {
  return ({ jobId }) => ({
    schemaVersion: 1,
    jobId,
    status: 'success',
    timestamp: new Date().toISOString(),
    processingTime: 1,
    data: { leads: names.map(company), hasMore: false, ...more },
  });
}

export const company = (name: string) => ({
  name,
  domain: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-inc.com`,
  description: `${name} is a company`,
});

export function refusing(error: object): Search {
  return ({ jobId }) => ({
    schemaVersion: 1,
    jobId,
    status: 'error',
    timestamp: new Date().toISOString(),
    processingTime: 1,
    error: { code: 'UNKNOWN_ERROR', message: 'it went wrong', ...error },
  });
}

/** Adds a scraper that the test has written. */
export function plugIn({ app }: Pick<Api, 'app'>, type: string, scrape: Scraper['scrape']): void {
  // biome-ignore lint/complexity/useLiteralKeys: the list of scrapers is closed to all but tests
  const scrapers = app.get(ScraperRunner)['scrapers'] as Map<string, Scraper>;
  scrapers.set(type, defineScraper({ type, name: type, scrape }));
}
