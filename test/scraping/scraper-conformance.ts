import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/database.js';
import {
  type Criteria,
  failureOf,
  type Scraper,
  type ScraperConfig,
  type ScraperTools,
} from '../../src/scraping/scraper.js';
import { outgoingClient } from '../harness/outgoing.js';
import {
  answerWith,
  BROKEN_CONNECTIONS,
  impatient,
  relayed,
  siteApart,
  UNREADABLE_BODIES,
} from '../platforms/broken-sites.js';
import { criteria, scraperTools, search } from '../platforms/scraper-tools.js';

/** A place that lists companies. */
interface FakePlace {
  readonly listener: RequestListener;
  url: string;
}

interface StatusMeaning {
  retryable: boolean;
  /** The place does not say how long to wait, but the scraper does. */
  until?: boolean;
}

export interface FakeDirectory {
  /** Opens a place that lists this many companies. */
  open(companies: number): FakePlace;
  /** A number of companies that needs more than one page, if the place has pages. */
  companies: number;
  /** Criteria, and the settings with which a scraper finds the place at this URL. */
  at(url: string): { criteria: Partial<Criteria>; config?: Partial<ScraperConfig> };
  /** Environment variables without which the scraper cannot be used. */
  variables: string[];
  /** Criteria for which the scraper cannot search, and the field that it names. */
  unsearchable: [given: Partial<Criteria>, path: string][];
  /** Statuses that are handled in another way. */
  meanings?: Record<number, StatusMeaning>;
  /** The key that must not appear in messages. */
  secret?: string;
  /** Answers that break the API's contract, and what the message says. Undefined if the scraper reads any text. */
  breaches?: [what: string, body: unknown, words: string][];
}

const FINAL = { retryable: false };
const TEMPORARY = { retryable: true };

/** What unsuccessful statuses mean unless a place uses them otherwise. */
const MEANINGS: Record<number, StatusMeaning> = {
  400: FINAL,
  401: FINAL,
  403: FINAL,
  404: FINAL,
  410: FINAL,
  418: FINAL,
  429: FINAL,
  500: TEMPORARY,
  502: TEMPORARY,
  503: TEMPORARY,
};

/** What every scraper must do, over a place that works and over places that do not. */
export function scraperConformance(
  scraper: Scraper,
  directory: FakeDirectory,
  { store, tools = {} }: { store: { readonly database: Database }; tools?: Partial<ScraperTools> },
): void {
  const findAt = (url: string, given: Partial<ScraperTools> = {}) => {
    const { criteria, config } = directory.at(url);
    return search(scraper, criteria, { ...scraperTools(store.database, config), ...tools, ...given });
  };
  const opened = async (companies: number) => {
    const place = directory.open(companies);
    const site = await siteApart(place.listener);
    place.url = site.base;
    return { place, site };
  };
  const failureAt = async (listener: RequestListener, given?: Partial<ScraperTools>) => {
    const { base } = await siteApart(listener);
    const { leads, failure } = await findAt(base, given);
    expect(leads).toEqual([]);
    return failureOf(failure);
  };

  describe(`the scraper for ${scraper.type}`, () => {
    it('names the environment variables that are missing', () => {
      const { config } = scraperTools(store.database);
      expect(scraper.missing?.(config) ?? []).toEqual(directory.variables);
      const complete = directory.at('http://place.example/').config;
      expect(scraper.missing?.({ ...config, ...complete }) ?? []).toEqual([]);
    });

    it('accepts what it can search for', () => {
      expect(scraper.refuse?.(criteria(directory.at('http://place.example/').criteria))).toBeUndefined();
    });

    it.each(directory.unsearchable)('refuses %j for %s, and sends no request', async (given, path) => {
      const { site } = await opened(1);
      expect(scraper.refuse?.(criteria(given))).toEqual({ path, message: expect.stringMatching(/./) });
      const all = { ...scraperTools(store.database, directory.at(site.base).config), ...tools };
      const { leads, failure } = await search(scraper, given, all);
      expect([leads, failure]).toMatchObject([[], { name: 'ScrapeFailure', retryable: false }]);
      expect(site.connections).toBe(0);
    });

    it('yields every company once, and the same ones each time', async () => {
      const { site } = await opened(directory.companies);
      const { leads, failure } = await findAt(site.base);
      expect(failure).toBeUndefined();
      expect(new Set(leads.map(({ name, url }) => `${name} ${url}`)).size).toBe(directory.companies);
      expect(leads).toHaveLength(directory.companies);
      expect(await findAt(site.base)).toEqual({ leads, failure: undefined });
    });

    it.each(Object.entries({ ...MEANINGS, ...directory.meanings }))(
      'fails at the status %i',
      async (given, meaning) => {
        const status = Number(given);
        const failure = await failureAt(answerWith(status));
        expect(failure).toMatchObject({
          name: 'ScrapeFailure',
          retryable: meaning.retryable,
          until: meaning.until ? expect.any(Date) : undefined,
          message: expect.stringMatching(status === 429 ? /429|no more requests/ : `answered ${status}`),
        });
      },
    );

    it.each([429, 503])('says until when it must wait after %i with Retry-After', async (status) => {
      const failure = await failureAt(answerWith(status, '', { 'retry-after': '120' }));
      expect(failure).toMatchObject({ name: 'ScrapeFailure', until: expect.any(Date) });
    });

    it.each(BROKEN_CONNECTIONS)('may be read by the owner of the job: a site %s', async (_, listener, code) => {
      const http = impatient(outgoingClient(store.database));
      const failure = await failureAt(listener, { http });
      expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: code !== 'TOO_LARGE' });
      if (directory.secret) expect(failure?.message).not.toContain(directory.secret);
    });

    it('does not reach a private address', async () => {
      const { site } = await opened(1);
      const http = outgoingClient(store.database, { allowNetworks: [] });
      const { leads, failure } = await findAt(site.base, { http });
      expect([leads, failureOf(failure)]).toMatchObject([[], { name: 'ScrapeFailure', retryable: false }]);
      expect(site.connections).toBe(0);
    });

    it('sends no request once it is aborted', async () => {
      const { site } = await opened(1);
      const { leads, failure } = await findAt(site.base, { signal: AbortSignal.abort(new Error('stopped')) });
      expect([leads, failure]).toMatchObject([[], { message: 'stopped' }]);
      expect(site.connections).toBe(0);
    });

    it('ends with the reason when it is aborted while it waits', async () => {
      const stop = new AbortController();
      const { base } = await siteApart(() => stop.abort(new Error('stopped')));
      expect((await findAt(base, { signal: stop.signal })).failure).toMatchObject({ message: 'stopped' });
    });

    if (directory.breaches) describeAnswers(directory.breaches);
  });

  function describeAnswers(breaches: NonNullable<FakeDirectory['breaches']>): void {
    it('finds nothing in an empty place', async () => {
      const { site } = await opened(0);
      expect(await findAt(site.base)).toEqual({ leads: [], failure: undefined });
    });

    it('reads a good answer with a wrong content type', async () => {
      const { site: origin, place } = await opened(directory.companies);
      const { base } = await siteApart(relayed(origin, 'text/plain'));
      place.url = base;
      const { leads, failure } = await findAt(base);
      expect([leads.length, failure]).toEqual([directory.companies, undefined]);
    });

    it.each(UNREADABLE_BODIES)('refuses %s', async (_, body, contentType) => {
      const failure = await failureAt(answerWith(200, body, { 'content-type': contentType }));
      expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: false });
    });

    it.each(breaches)('says how an answer breaks the contract: %s', async (_, body, words) => {
      const failure = await failureAt(answerWith(200, JSON.stringify(body), { 'content-type': 'application/json' }));
      const message = expect.stringContaining(words);
      expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: false, message });
    });
  }
}
