import { Injectable } from '@nestjs/common';
import { HttpClient } from '../../platform/http/http-client.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { isHostsFault } from '../run/fetch-failure.js';
import { iconLinks } from './icon-links.js';
import { type Image, readImage } from './read-image.js';

const MAX_PAGE_BYTES = 2_000_000;
const MAX_ICON_BYTES = 100_000;
/** Icons of the page that are requested, besides `/favicon.ico`. */
const MAX_LINKS = 3;
const TIMEOUTS = { connect: 5_000, headers: 10_000, body: 10_000, total: 20_000, line: 10_000 };

interface FoundIcon {
  image: Image | undefined;
  /** Set if there is no icon and a request failed in a way that may pass. */
  failure: string | undefined;
}

/** Looks at the site's first page, then at `/favicon.ico`. */
@Injectable()
export class IconFinder {
  constructor(private readonly http: HttpClient) {}

  /** Fails with an `OutgoingRequestError` if the host was closed or busy because of others. */
  async find(origin: string, signal: AbortSignal): Promise<FoundIcon> {
    const search = new Search(this.http, signal);
    const page = await search.get(`${origin}/`, MAX_PAGE_BYTES, 'text/html, */*;q=0.5');
    const pageUrl = page?.url ?? `${origin}/`;
    const links = page?.status === 200 ? iconLinks(page.text(), pageUrl).slice(0, MAX_LINKS) : [];
    for (const url of [...links, new URL('/favicon.ico', pageUrl).href]) {
      const image = await search.image(url);
      if (image) return { image, failure: undefined };
    }
    return { image: undefined, failure: search.failure };
  }
}

class Search {
  failure: string | undefined;

  constructor(
    private readonly http: Pick<HttpClient, 'get'>,
    private readonly signal: AbortSignal,
  ) {}

  async image(url: string): Promise<Image | undefined> {
    if (/^data:/i.test(url)) return readImage(dataUrlBytes(url));
    const response = await this.get(url, MAX_ICON_BYTES, 'image/*, */*;q=0.5');
    return response?.status === 200 ? readImage(response.body) : undefined;
  }

  async get(url: string, maxBytes: number, accept: string): Promise<HttpResponse | undefined> {
    const { signal } = this;
    const options = { signal, maxBytes, headers: { accept }, timeouts: TIMEOUTS, background: {} };
    try {
      const response = await this.http.get(url, options);
      if (response.status >= 500 || response.status === 429) this.failure = `${url} answered ${response.status}`;
      return response;
    } catch (error) {
      if (!(error instanceof OutgoingRequestError)) throw error;
      const { code, message } = error;
      if (isHostsFault(error)) throw error;
      if (code === 'TIMEOUT' || code === 'NETWORK_ERROR') this.failure = message;
      return undefined;
    }
  }
}

function dataUrlBytes(url: string): Buffer {
  const [, isBase64, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(url) ?? [];
  if (data.length > 2 * MAX_ICON_BYTES) return Buffer.alloc(0);
  return isBase64 ? Buffer.from(data, 'base64') : Buffer.from(percentDecoded(data));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
