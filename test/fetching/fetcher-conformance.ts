import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FetchResult as RemoteResult } from '../../src/contracts/fetch-result.js';
import {
  type FetchCommand,
  type Fetcher,
  type FetcherConfig,
  type FetcherTools,
  type FetchFailureCode,
  NoWorker,
} from '../../src/fetching/fetcher.js';
import type { Database } from '../../src/platform/database/database.js';
import { outgoingClient } from '../harness/outgoing.js';
import {
  answerWith,
  BROKEN_CONNECTIONS,
  BROKEN_REDIRECTS,
  impatient,
  relayed,
  siteApart,
  UNREADABLE_BODIES,
} from '../platforms/broken-sites.js';
import { asking, fetcherTools, idsOf, NOW } from '../platforms/fetcher-tools.js';
import { answering, remotePost } from '../workers/made-answers.js';

/** A source as its platform serves it. */
export interface FakeSource {
  readonly listener: RequestListener;
  url: string;
  /** Publishes a post and returns its external id. */
  publish(): string;
}

interface ExternalIds {
  id: string;
  /** Other spellings of the same id. */
  spellings: string[];
  invalid: string[];
  /** Addresses by which the type is recognised, with their ids. */
  addresses?: [url: string, id: string][];
}

/** A source that Millrace fetches itself. */
export interface FakeSite {
  ids: ExternalIds;
  /** Opens a source without posts. */
  open(): FakeSource;
  /** Where a fetcher finds that source if its site is at this URL. */
  at(url: string): { externalId: string; config?: Partial<FetcherConfig> };
  /** `archive`: older posts are fetched only on request. */
  pages: 'always' | 'archive' | 'never';
  invalidCursors: string[];
  /** Statuses that this platform uses in another sense. */
  meanings?: Record<number, FetchFailureCode>;
  /** A refusal in the platform's own format that says "not for you". */
  complaint?: object;
  /** Sources whose answers break the API's contract, and the field that the message must name. */
  breaches: [what: string, open: () => FakeSource, field: string][];
}

/** What all unsuccessful statuses mean unless a platform uses them otherwise. */
const MEANINGS: Record<number, FetchFailureCode> = {
  204: 'UNKNOWN_ERROR',
  304: 'INVALID_CONTENT',
  401: 'AUTH_ERROR',
  403: 'PRIVATE_PROFILE',
  404: 'NOT_FOUND',
  410: 'GONE',
  418: 'UNKNOWN_ERROR',
  429: 'RATE_LIMITED',
  451: 'UNKNOWN_ERROR',
  500: 'NETWORK_ERROR',
  502: 'NETWORK_ERROR',
  503: 'NETWORK_ERROR',
};

/** What every fetcher must do, over a site that behaves and over sites that do not. */
export function fetcherConformance(fetcher: Fetcher, site: FakeSite, store: { readonly database: Database }): void {
  const askAt = (url: string, http: FetcherTools['http'] = outgoingClient(store.database)) => {
    const { externalId, config = {} } = site.at(url);
    return asking(fetcher, externalId, { ...fetcherTools(store.database, config), http });
  };
  const at = async (listener: RequestListener) => {
    const { base } = await siteApart(listener);
    return { ...askAt(base), base };
  };
  const opened = async (source: FakeSource, posts = 0) => {
    const ids = Array.from({ length: posts }, () => source.publish()).reverse();
    const served = await siteApart(source.listener);
    source.url = served.base;
    return { ids, source, site: served, ...askAt(served.base) };
  };

  describe(`the fetcher for ${fetcher.type}`, () => {
    describeIds(fetcher, site.ids);

    it('returns an empty page for a source without posts', async () => {
      const { page } = await opened(site.open());
      const { posts, nextCursor } = await page();
      expect([posts, nextCursor]).toEqual([[], undefined]);
    });

    it('returns posts newest first, under the same ids each time', async () => {
      const { ids, page } = await opened(site.open(), 3);
      expect(idsOf(await page())).toEqual(ids);
      expect(idsOf(await page())).toEqual(ids);
      expect(new Set(ids).size).toBe(3);
    });

    it('leaves out nothing that was published after `since`', async () => {
      const { ids, page } = await opened(site.open(), 3);
      expect(idsOf(await page({ since: new Date('2000-01-01T00:00:00Z') }))).toEqual(ids);
    });

    it('reports that nothing has changed, until something does', async () => {
      const { source, ask, page } = await opened(site.open(), 1);
      const { validators = {} } = await page();
      const unchanged = await ask({ validators });
      expect(unchanged).toMatchObject({ unchanged: true });
      const id = source.publish();
      expect(idsOf(await page({ validators: unchanged.validators ?? {} }))).toContain(id);
    });

    it('reads a good answer with a wrong content type', async () => {
      const { ids, site: origin, source } = await opened(site.open(), 2);
      const { base } = await siteApart(relayed(origin, 'application/octet-stream'));
      source.url = base;
      expect(idsOf(await askAt(base).page())).toEqual(ids);
    });

    if (site.pages === 'never')
      it('has no further pages', async () => {
        const { page } = await opened(site.open(), 3);
        expect((await page({ limit: 2, archive: true })).nextCursor).toBeUndefined();
      });
    else
      it('is walked to the end while new posts appear in between', async () => {
        const { ids, page, source } = await opened(site.open(), 9);
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const result = await page({ limit: 2, cursor, archive: site.pages === 'archive' });
          found.push(...idsOf(result));
          cursor = result.nextCursor;
          source.publish();
        } while (cursor);
        expect(found).toEqual(ids);
      });

    if (site.pages === 'archive')
      it('enters the archive only on request', async () => {
        const { page } = await opened(site.open(), 9);
        expect((await page({ limit: 2 })).nextCursor).toBeUndefined();
      });

    it.each(site.invalidCursors)('refuses the cursor %j', async (cursor) => {
      const { ask } = await opened(site.open(), 3);
      await expect(ask({ cursor, archive: true })).rejects.toMatchObject({ code: 'INVALID_COMMAND' });
    });

    it.each(Object.entries({ ...MEANINGS, ...site.meanings }))('reports the status %i as %s', async (given, code) => {
      const status = Number(given);
      const hasBody = site.complaint && status >= 400;
      const { ask, base } = await at(answerWith(status, hasBody ? JSON.stringify(site.complaint) : ''));
      const words = hasBody ? ': not for you$' : '\\b';
      await expect(ask()).rejects.toMatchObject({
        name: 'FetchFailure',
        code,
        message: expect.stringMatching(new RegExp(`^${new URL(base).host} answered ${status}${words}`)),
        retryable: status >= 500,
        until: undefined,
      });
    });

    it.each([
      [429, '120'],
      [429, '0'],
      [503, '120'],
    ])('reports the time of %i with Retry-After: %s', async (status, seconds) => {
      const { ask } = await at(answerWith(status, '', { 'retry-after': seconds }));
      const failure = { name: 'FetchFailure', code: 'RATE_LIMITED', retryable: false, until: expect.any(Date) };
      await expect(ask()).rejects.toMatchObject(failure);
    });

    it.each(UNREADABLE_BODIES)('refuses %s', async (_, body, contentType) => {
      const { ask } = await at(answerWith(200, body, { 'content-type': contentType }));
      await expect(ask()).rejects.toMatchObject({ name: 'FetchFailure', code: 'INVALID_CONTENT', retryable: false });
    });

    it.each(site.breaches)('names the field that breaks the contract: %s', async (_, open, field) => {
      const { ask } = await opened(open());
      const message = expect.stringContaining(`${field}:`);
      await expect(ask()).rejects.toMatchObject({ name: 'FetchFailure', code: 'INVALID_CONTENT', message });
    });

    it.each([...BROKEN_CONNECTIONS, ...BROKEN_REDIRECTS])('passes on that a site %s', async (_, listener, code) => {
      const { base } = await siteApart(listener);
      const { ask } = askAt(base, impatient(outgoingClient(store.database)));
      await expect(ask()).rejects.toMatchObject({ name: 'OutgoingRequestError', code });
    });

    it('does not reach a private address', async () => {
      const apart = await siteApart(answerWith(200));
      const { ask } = askAt(apart.base, outgoingClient(store.database, { allowNetworks: [] }));
      await expect(ask()).rejects.toMatchObject({ name: 'OutgoingRequestError', code: 'ADDRESS_REFUSED' });
      expect(apart.connections).toBe(0);
    });

    it('sends no request once it is aborted', async () => {
      let requests = 0;
      const { ask } = await at((_, response) => {
        requests += 1;
        response.end();
      });
      await expect(ask({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
      expect(requests).toBe(0);
    });

    it('ends with the reason when it is aborted while it waits', async () => {
      const stop = new AbortController();
      const { ask } = await at(() => stop.abort(new Error('stopped')));
      await expect(ask({ signal: stop.signal })).rejects.toThrow('stopped');
    });
  });
}

/** What every fetcher must do whose sources are fetched by workers. */
export function remoteFetcherConformance(fetcher: Fetcher, ids: ExternalIds): void {
  const askWith = (askWorker: FetcherTools['askWorker'], command: Partial<FetchCommand> = {}) => {
    const http = { get: forbidden, request: forbidden };
    const config = { youtubeUrl: 'http://youtube.invalid/', blueskyUrl: 'http://bluesky.invalid/' };
    const tools = { http, config, parseFeed: forbidden, askWorker };
    return asking(fetcher, ids.id, tools).page(command);
  };
  const job = { jobId: 'job', sourceId: '1' };
  const failing = (error: object) => RemoteResult.parse(answering(job, { status: 'error', data: undefined, error }));

  describe(`the fetcher for ${fetcher.type}`, () => {
    describeIds(fetcher, ids);

    it('hands the whole command to a worker of its type', async () => {
      const since = new Date('2029-01-01T00:00:00Z');
      const commands: unknown[] = [];
      const answered = RemoteResult.parse(answering(job));
      await askWith(
        async (type, command) => {
          commands.push([type, command]);
          return answered;
        },
        { cursor: 'c', since, limit: 7 },
      );
      expect(commands).toMatchObject([[fetcher.type, { externalId: ids.id, cursor: 'c', since, limit: 7 }]]);
    });

    it('returns the posts of the worker, and its cursor only while there are more', async () => {
      const posts = [remotePost('b'), remotePost('a')];
      const result = (hasMore: boolean) =>
        RemoteResult.parse(answering(job, { data: { posts, hasMore, nextCursor: 'older' } }));
      const first = await askWith(async () => result(true));
      expect([idsOf(first), first.nextCursor]).toEqual([['b', 'a'], 'older']);
      expect((await askWith(async () => result(false))).nextCursor).toBeUndefined();
    });

    it('returns an empty page for a source without posts', async () => {
      const { posts, nextCursor } = await askWith(async () => RemoteResult.parse(answering(job)));
      expect([posts, nextCursor]).toEqual([[], undefined]);
    });

    it.each<[FetchFailureCode, boolean]>([
      ['NETWORK_ERROR', true],
      ['TIMEOUT_ERROR', true],
      ['UNKNOWN_ERROR', true],
      ['AUTH_ERROR', false],
      ['PRIVATE_PROFILE', false],
      ['NOT_FOUND', false],
      ['RATE_LIMITED', false],
      ['INVALID_COMMAND', false],
    ])('fails with the code of the worker: %s', async (code, retryable) => {
      const refused = failing({ code, message: 'because' });
      const failure = { name: 'FetchFailure', code, message: 'because', retryable };
      await expect(askWith(async () => refused)).rejects.toMatchObject(failure);
    });

    it('waits as long as the worker says', async () => {
      const error = { code: 'RATE_LIMITED', message: 'later', details: { retryAfterSeconds: 60 } };
      const refused = failing(error);
      await expect(askWith(async () => refused)).rejects.toMatchObject({ until: new Date(NOW.getTime() + 60_000) });
    });

    it('passes on that there is no worker', async () => {
      const nobody = () => Promise.reject(new NoWorker('nobody is there'));
      await expect(askWith(nobody)).rejects.toThrow(NoWorker);
    });
  });
}

const forbidden = () => Promise.reject(new Error('only the worker may be asked'));

function describeIds(fetcher: Fetcher, { id, spellings, invalid, addresses = [] }: ExternalIds): void {
  it.each([id, ...spellings, ` ${id} `])('identifies its source by one id, spelled %j', (spelling) => {
    expect(fetcher.externalId.parse(spelling)).toBe(id);
  });

  it.each(['', ' ', 'a\nb', 'x'.repeat(3_000), ...invalid])('refuses an id that is none: %j', (text) => {
    expect(fetcher.externalId.safeParse(text).success).toBe(false);
  });

  it.each(addresses)('recognises %s', (url, expected) => {
    expect(fetcher.recognise?.(new URL(url))).toBe(expected);
    expect(fetcher.externalId.parse(expected)).toBe(expected);
  });

  if (fetcher.recognise)
    it('does not recognise the address of another site', () => {
      expect(fetcher.recognise?.(new URL('https://site.example/a/b?c=d'))).toBeUndefined();
    });
}
