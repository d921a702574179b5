import type { IncomingMessage, RequestListener } from 'node:http';
import { FakeGoogleSearch, GOOGLE_ENGINE, GOOGLE_KEY, result } from './fake-google-search.js';

export const SEARCH_KEY = 'search-secret-key';

interface Answer {
  status?: number;
  body?: unknown;
}

/** The parameters of a request to a search provider under common names. */
interface AskedSearch {
  query: string;
  /** Counted from 0. */
  page: number;
  parameters: Record<string, string>;
}

export interface FoundPage {
  link: string;
  title: string;
  snippet: string;
}

/** A provider with this many results per page. */
export class FakeSearchProvider {
  readonly asked: AskedSearch[] = [];
  results: FoundPage[] = [];
  url = '';

  constructor(private readonly protocol: (request: IncomingMessage, fake: FakeSearchProvider) => Promise<Answer>) {}

  readonly listener: RequestListener = async (request, response) => {
    const { status = 200, body } = await this.protocol(request, this);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };

  pageOf(asked: AskedSearch, size: number): { found: FoundPage[]; hasMore: boolean } {
    this.asked.push(asked);
    const start = asked.page * size;
    return { found: this.results.slice(start, start + size), hasMore: this.results.length > start + size };
  }
}

/** SearXNG's `/search?format=json`: about twenty results per page, without information about further pages. */
export const fakeSearxng = () =>
  new FakeSearchProvider(async (request, fake) => {
    const { pathname, parameters } = addressOf(request);
    if (pathname !== '/search' || parameters.format !== 'json') return { status: 404, body: {} };
    const { q: query = '', pageno = '1' } = parameters;
    const { found } = fake.pageOf({ query, page: Number(pageno) - 1, parameters }, 20);
    const results = found.map(({ link, title, snippet }, at) => ({
      url: link,
      title,
      content: snippet,
      engine: 'duckduckgo',
      engines: ['duckduckgo', 'mojeek'],
      parsed_url: ['https', new URL(link).host, '/', '', '', ''],
      positions: [at + 1],
      score: 1 / (at + 1),
      category: 'general',
      template: 'default.html',
      publishedDate: null,
    }));
    const empty = { answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
    return { body: { query, number_of_results: 0, results, ...empty } };
  });

/** Brave's `/res/v1/web/search`: at most twenty results a page and ten pages. */
export const fakeBrave = () =>
  new FakeSearchProvider(async (request, fake) => {
    const { pathname, parameters } = addressOf(request);
    if (pathname !== '/res/v1/web/search') return { status: 404, body: {} };
    const component = { meta: { component: 'authentication' } };
    const invalid = { code: 'SUBSCRIPTION_TOKEN_INVALID', detail: 'The provided subscription token is invalid.' };
    if (request.headers['x-subscription-token'] !== SEARCH_KEY)
      return { status: 422, body: { type: 'ErrorResponse', error: { ...invalid, ...component, status: 422 } } };
    const { q: query = '', count = '20', offset = '0' } = parameters;
    const { found, hasMore } = fake.pageOf({ query, page: Number(offset), parameters }, Number(count));
    const results = found.map(({ link, title, snippet }) => ({
      type: 'search_result',
      subtype: 'generic',
      title,
      url: link,
      description: snippet,
      language: 'en',
      family_friendly: true,
      profile: { name: new URL(link).host, long_name: new URL(link).host },
    }));
    const answer = { type: 'search', query: { original: query, more_results_available: hasMore } };
    return { body: { ...answer, ...(results.length && { web: { type: 'search', results } }) } };
  });

/** Serper's `POST /search`. */
export const fakeSerper = () =>
  new FakeSearchProvider(async (request, fake) => {
    if (request.method !== 'POST' || request.url !== '/search') return { status: 404, body: {} };
    const refused = { message: 'Unauthorized.', statusCode: 403 };
    if (request.headers['x-api-key'] !== SEARCH_KEY) return { status: 403, body: refused };
    const { q: query, page, num, ...others } = JSON.parse(await bodyOf(request));
    const { found } = fake.pageOf({ query, page: page - 1, parameters: others }, num);
    const organic = found.map((one, at) => ({ ...one, position: at + 1 }));
    return { body: { searchParameters: { q: query, type: 'search', engine: 'google', page }, organic, credits: 1 } };
  });

/** Google's Custom Search JSON API, which has its own fake. */
export function fakeGoogle() {
  const engine = new FakeGoogleSearch();
  return new FakeSearchProvider(async (request, fake) => {
    const { parameters } = addressOf(request);
    const { q: query = '', start = '1' } = parameters;
    fake.asked.push({ query, page: (Number(start) - 1) / 10, parameters });
    engine.results = fake.results.map(({ link, ...fields }) => result(link, fields));
    return engine.answerTo(request);
  });
}

/** Settings that make Millrace use the provider at this URL. */
export const SEARCH_SETTINGS = {
  searxng: (url: string) => ({ searchUrl: url }),
  brave: (url: string) => ({ searchProvider: 'brave' as const, searchUrl: url, searchKey: SEARCH_KEY }),
  serper: (url: string) => ({ searchProvider: 'serper' as const, searchUrl: url, searchKey: SEARCH_KEY }),
  google: (url: string) => ({ googleUrl: url, googleKey: GOOGLE_KEY, googleEngine: GOOGLE_ENGINE }),
};

export const foundPages = (count: number): FoundPage[] =>
  Array.from({ length: count }, (_, at) => ({
    link: `https://www.company-${at}.example/`,
    title: `Company ${at}`,
    snippet: `What company ${at} does`,
  }));

function addressOf({ url = '/' }: IncomingMessage) {
  const { pathname, searchParams } = new URL(url, 'http://search.example');
  return { pathname, parameters: Object.fromEntries(searchParams) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
