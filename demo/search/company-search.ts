import { createHash } from 'node:crypto';
import type { Reply, Site, Visit } from '../local-sites.js';
import { type Company, TOWN } from './companies.js';

export const CRUNCHBASE_KEY = 'demo-company-key';
const PACE_MS = 1_200;
const CATEGORIES = { bakery: 'Bakery', bookshop: 'Bookshop' };

interface Search {
  limit: number;
  after_id?: string;
  query: { field_id: string; values: string[] }[];
}

/** Crunchbase's API, which knows half of the companies. */
export function companySearch(companies: Company[]): Site {
  const known = companies.filter((_, at) => at % 2 === 0);
  return (visit): Reply => {
    if (visit.headers['x-cb-user-key'] !== CRUNCHBASE_KEY) return json([{ status: 401, message: 'Unauthorized' }], 401);
    if (visit.url.pathname === '/api/v4/autocompletes') return json(suggestions(visit));
    if (visit.url.pathname !== '/api/v4/searches/organizations') return json({}, 404);
    return { ...json(found(known, JSON.parse(visit.body.toString()))), afterMs: PACE_MS };
  };
}

const json = (value: object, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

const NAMES = [
  { uuid: uuidOf('town'), value: TOWN, entity_def_id: 'location', collection: 'locations' },
  ...Object.values(CATEGORIES).map((value) => ({
    uuid: uuidOf(value),
    value,
    entity_def_id: 'category',
    collection: 'categories',
  })),
];

function suggestions({ url }: Visit) {
  const query = url.searchParams.get('query')?.toLowerCase() ?? '';
  const collections = url.searchParams.get('collection_ids')?.split(',') ?? [];
  const meant = NAMES.filter(
    ({ value, collection }) => collections.includes(collection) && value.toLowerCase().startsWith(query.slice(0, 4)),
  );
  const entities = meant.map(({ uuid, value, entity_def_id }) => ({
    identifier: { uuid, value, permalink: value.toLowerCase().replaceAll(' ', '-'), entity_def_id },
    facet_ids: [],
  }));
  return { count: entities.length, entities };
}

function found(companies: Company[], { limit, after_id, query }: Search) {
  const categories = query.flatMap(({ field_id, values }) => (field_id === 'categories' ? values : []));
  const meant = companies.filter(({ trade }) => !categories.length || categories.includes(uuidOf(CATEGORIES[trade])));
  const start = after_id ? meant.findIndex(({ slug }) => uuidOf(slug) === after_id) + 1 : 0;
  return { count: meant.length, entities: meant.slice(start, start + limit).map(organization) };
}

function organization({ name, slug, domain, email, phone, description }: Company) {
  const uuid = uuidOf(slug);
  const identifier = { uuid, value: name, permalink: slug, entity_def_id: 'organization' };
  const contact = { website_url: `https://www.${domain}/`, contact_email: email, phone_number: phone };
  const location_identifiers = [{ value: TOWN, location_type: 'city' }];
  return { uuid, properties: { identifier, short_description: `${description}.`, ...contact, location_identifiers } };
}

function uuidOf(name: string): string {
  return `00000000-0000-4000-8000-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
