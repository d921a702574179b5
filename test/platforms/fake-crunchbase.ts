import type { IncomingMessage, RequestListener } from 'node:http';
import { startSite } from '../harness/site.js';

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Predicate {
  field_id: string;
  operator_id: string;
  values: string[];
}

/** The body of a request to `searches/organizations`. */
export interface Asked {
  field_ids: string[];
  query: Predicate[];
  limit: number;
  after_id?: string;
}

export const CRUNCHBASE_KEY = 'cb-secret-key';

let instances = 0;

/** Crunchbase's API v4: autocompletes of places and industries, searches of organisations with pages by `after_id`. */
export class FakeCrunchbase {
  readonly searches: Asked[] = [];
  readonly lookUps: string[] = [];
  /** The results of every search, best first. */
  organizations: unknown[] = [];
  /** Whether organisations can match several terms of the description at once. */
  findsAllTerms = true;
  /** Its suggestions. */
  readonly names: Json[] = [];
  /** Answers searches like this from the given one on (the first is 1), and every request if it is the first. */
  refuses: (Answer & { from?: number }) | undefined;
  /** Its address after the start. */
  url = '';

  async start(): Promise<this> {
    instances += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `crunchbase-${instances}.example`);
    return this;
  }

  get config() {
    return { crunchbaseUrl: this.url, crunchbaseKey: CRUNCHBASE_KEY };
  }

  name(entity_def_id: string, value: string, facet_ids: string[] = []): string {
    const uuid = uuidOf(this.names.length + 1_000_000);
    const permalink = `${value.toLowerCase().replaceAll(' ', '-')}--${this.names.length}`;
    this.names.push({ identifier: { uuid, value, permalink, entity_def_id }, facet_ids, short_description: '' });
    return uuid;
  }

  readonly listener: RequestListener = async (request, response) => {
    const { status, body, headers } = await this.answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  private async answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (request.headers['x-cb-user-key'] !== CRUNCHBASE_KEY) return UNAUTHORIZED;
    if (pathname === '/api/v4/autocompletes') return this.suggestions(searchParams);
    if (pathname !== '/api/v4/searches/organizations' || request.method !== 'POST') return { status: 404, body: {} };
    const asked: Asked = JSON.parse(await bodyOf(request));
    this.searches.push(asked);
    const isRefused = this.refuses && this.searches.length >= (this.refuses.from ?? 1);
    return isRefused && this.refuses ? this.refuses : this.page(asked);
  }

  private suggestions(asked: URLSearchParams): Answer {
    if (this.refuses && !this.refuses.from) return this.refuses;
    const query = asked.get('query') ?? '';
    const collections = asked.get('collection_ids')?.split(',') ?? [];
    this.lookUps.push(`${collections.join(',')}: ${query}`);
    const entities = this.names.filter(({ identifier }) => {
      const { entity_def_id, value } = identifier as { entity_def_id: string; value: string };
      return COLLECTIONS[entity_def_id]?.some((one) => collections.includes(one)) && startsAlike(value, query);
    });
    return { status: 200, body: { count: entities.length, entities: entities.slice(0, Number(asked.get('limit'))) } };
  }

  private page({ limit, after_id, query }: Asked): Answer {
    const terms = query.filter(({ field_id }) => field_id === 'description');
    if (terms.length > 1 && !this.findsAllTerms) return { status: 200, body: { count: 0, entities: [] } };
    if (limit > 1000 || query.length > 25) return { status: 400, body: { value: 'too many' } };
    const ids = this.organizations.map((organization) => (organization as Json)?.uuid);
    const start = after_id ? ids.indexOf(after_id) + 1 : 0;
    return { status: 200, body: { count: ids.length, entities: this.organizations.slice(start, start + limit) } };
  }
}

const COLLECTIONS: Record<string, string[]> = {
  location: ['locations'],
  category: ['categories'],
  category_group: ['category_groups'],
};

const UNAUTHORIZED: Answer = {
  status: 401,
  body: [{ status: 401, code: 'LA401', message: `Unauthorized user_key` }],
};

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const startsAlike = (value: string, query: string) => plain(value).startsWith(plain(query).slice(0, 3));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export function organization(number: number, properties: Json = {}): Json {
  const uuid = uuidOf(number);
  const permalink = `company-${number}`;
  const identifier = { uuid, value: `Company ${number}`, permalink, entity_def_id: 'organization' };
  return { uuid, properties: { identifier, short_description: `What company ${number} does`, ...properties } };
}

export const organizations = (count: number) => Array.from({ length: count }, (_, at) => organization(at));
