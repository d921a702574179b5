import { Inject, Injectable } from '@nestjs/common';
import type { ParsedFeed } from '../fetching/fetcher.js';
import { failureOf } from '../fetching/run/fetch-failure.js';
import { FetcherToolbox } from '../fetching/run/fetcher-toolbox.js';
import { apiCodeOf, SourceCatalogue } from '../fetching/source-catalogue.js';
import { ApiError } from '../platform/errors/api-error.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import { HttpClient } from '../platform/http/http-client.js';
import type { HttpResponse } from '../platform/http/http-response.js';
import { type OutgoingRequestCode, OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import { withCredentialsOf } from '../platform/http/web-address.js';
import { ThreadDied, ThreadTimeout } from '../platform/threads/thread-error.js';
import { orAborted } from '../platform/time/with-timeout.js';
import type { SourceIdentity } from '../sources/sources.table.js';
import { commonFeedPaths, pageAddresses } from './candidate-addresses.js';
import { Documents } from './documents.js';
import type { FeedLinks } from './feed-links.js';
import { FEED_TYPE } from './opml-address.js';

interface DiscoveredSource extends SourceIdentity {
  title: string | null;
}

interface RequestedSource {
  type?: string | undefined;
  externalId?: string | undefined;
  url?: string | undefined;
}

const TIMEOUT_MS = 20_000;
const MAX_GUESSES = 8;
const MAX_GUESSED_LINKS = 4;
/** No request was sent, so it is not known whether there is a feed. */
const NOT_SENT: OutgoingRequestCode[] = ['HOST_BACKING_OFF', 'HOST_BUSY'];
const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, text/html;q=0.9, */*;q=0.8';

/** The order is: the account of a profile, the feed itself, feeds that the page names, a feed at a common address. */
@Injectable()
export class Discovery {
  constructor(
    private readonly http: HttpClient,
    private readonly catalogue: SourceCatalogue,
    @Inject(FetcherToolbox) private readonly toolbox: Pick<FetcherToolbox, 'tools'>,
    private readonly documents: Documents,
  ) {}

  /** Type and external id are checked. Without them, the best source at the address counts. */
  async sourceOf({ type, externalId, url }: RequestedSource): Promise<SourceIdentity> {
    if (type !== undefined && externalId !== undefined) return this.catalogue.identify({ type, externalId });
    const [{ title: _, ...identity }] = await this.find(url ?? '');
    return identity;
  }

  /** Returns at least one source, the best first. */
  async find(
    text: string,
    signal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<[DiscoveredSource, ...DiscoveredSource[]]> {
    try {
      return await orAborted(this.search(pageAddresses(text), signal), signal);
    } catch (error) {
      throw toApiError(error, signal);
    }
  }

  private async search(addresses: URL[], signal: AbortSignal): Promise<[DiscoveredSource, ...DiscoveredSource[]]> {
    for (const url of addresses) {
      const recognised = await this.recognise(url, signal);
      if (recognised) return [{ ...recognised, title: null }];
    }
    return this.findOnPage(addresses, signal);
  }

  /** An address that looks like a profile may be any page, so a failed lookup is not an error. */
  private async recognise(url: URL, signal: AbortSignal): Promise<SourceIdentity | undefined> {
    try {
      return await this.catalogue.recognise(url, this.toolbox.tools, signal);
    } catch (error) {
      if (error instanceof OutgoingRequestError) return undefined;
      throw error;
    }
  }

  private async findOnPage(addresses: URL[], signal: AbortSignal): Promise<[DiscoveredSource, ...DiscoveredSource[]]> {
    const { url, page } = await this.firstAnswer(addresses, signal);
    const feed = await this.asFeed(url, page);
    if (feed) return [feed];
    const links = await this.linksOf(page);
    const announced = links.announced.map((link) => ({ ...link, url: withCredentialsOf(url, link.url) }));
    const [first, ...others] = this.identified(announced);
    if (first) return [first, ...others];
    const guesses = [...links.guesses.slice(0, MAX_GUESSED_LINKS), ...commonFeedPaths(page.url)];
    const tried = [...new Set(guesses)].filter((guess) => guess !== page.url).slice(0, MAX_GUESSES);
    const guessed = await this.firstFeed(
      tried.map((guess) => withCredentialsOf(url, guess)),
      signal,
    );
    if (guessed) return [guessed];
    throw aboutUrl('feed_not_found', nothingFound(page, tried));
  }

  /** An address without a scheme may mean http or https; the second is tried if the first is unreachable. */
  private async firstAnswer([url, ...others]: URL[], signal: AbortSignal): Promise<{ url: URL; page: HttpResponse }> {
    if (!url) throw aboutUrl('validation_failed', 'This is not an http or https address.');
    try {
      const page = await this.get(url.href, signal);
      if (page.status >= 500 || page.status === 429)
        throw aboutUrl('site_unreachable', `${url.origin} answered ${page.status}.`);
      return { url, page };
    } catch (error) {
      const isDead = error instanceof OutgoingRequestError && ['NETWORK_ERROR', 'TIMEOUT'].includes(error.code);
      if (isDead && others.length && !signal.aborted) return this.firstAnswer(others, signal);
      throw error;
    }
  }

  /** Only a permanent redirect changes the address that is followed. */
  private async asFeed(url: URL, page: HttpResponse): Promise<DiscoveredSource | undefined> {
    if (page.status !== 200) return undefined;
    const feed = await this.parse(page);
    const externalId = withCredentialsOf(url, page.permanentUrl ?? url.href);
    return feed && { ...this.catalogue.identify({ type: FEED_TYPE, externalId }), title: feed.title ?? null };
  }

  private async parse({ body, headers, url }: HttpResponse): Promise<ParsedFeed | undefined> {
    try {
      return await this.toolbox.tools.parseFeed({ body, contentType: headers['content-type'], url });
    } catch (error) {
      if (failureOf(error)) return undefined;
      throw error;
    }
  }

  /** A page that takes too much time or memory to read counts as one without links. */
  private async linksOf(page: HttpResponse): Promise<FeedLinks> {
    try {
      return await this.documents.feedLinks(page.text(), page.url);
    } catch (error) {
      if (error instanceof ThreadTimeout || error instanceof ThreadDied) return { announced: [], guesses: [] };
      throw error;
    }
  }

  private async firstFeed(addresses: string[], signal: AbortSignal): Promise<DiscoveredSource | undefined> {
    for (const address of addresses) {
      const page = await this.get(address, signal).catch((error) => {
        if (error instanceof OutgoingRequestError && !NOT_SENT.includes(error.code) && !signal.aborted)
          return undefined;
        throw error;
      });
      const feed = page && (await this.asFeed(new URL(address), page));
      if (feed) return feed;
    }
    return undefined;
  }

  private identified(links: { url: string; title: string | null }[]): DiscoveredSource[] {
    const found = new Map<string, DiscoveredSource>();
    for (const { url, title } of links) {
      const identity = this.identify(url);
      if (identity && !found.has(identity.externalId)) found.set(identity.externalId, { ...identity, title });
    }
    return [...found.values()];
  }

  /** Returns undefined if the page names an address that cannot be followed. */
  private identify(externalId: string): SourceIdentity | undefined {
    try {
      return this.catalogue.identify({ type: FEED_TYPE, externalId });
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  private get(url: string, signal: AbortSignal): Promise<HttpResponse> {
    return this.http.get(url, { signal, headers: { accept: ACCEPT }, timeouts: { line: TIMEOUT_MS } });
  }
}

function nothingFound({ url, status }: HttpResponse, tried: string[]): string {
  const { origin, pathname } = new URL(url);
  const what = status === 200 ? 'is no feed and names none' : `answered ${status}`;
  const paths = tried.map((address) => (address.startsWith(origin) ? address.slice(origin.length) : address));
  return `${origin}${pathname} ${what}; no feed at ${paths.join(', ')} either.`;
}

function aboutUrl(code: ErrorCode, message: string): ApiError {
  return new ApiError(code, message, { errors: [{ path: 'url', message }] });
}

/** Errors that the address did not cause are returned unchanged. */
function toApiError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutgoingRequestError) return aboutUrl(apiCodeOf(error), sentence(error.message));
  if (signal.aborted) return aboutUrl('site_unreachable', 'The site did not answer in time.');
  return error;
}

const sentence = (text: string) => `${text.trim().replace(/\.$/, '')}.`;
