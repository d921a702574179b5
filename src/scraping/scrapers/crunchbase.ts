import { z } from 'zod';
import { CompanyFilters, filterRefusal, type NumberRange, overlaps } from '../leads/company-filters.js';
import { foldText } from '../leads/fold-text.js';
import type { FoundLead } from '../leads/lead.js';
import { ownDomain } from '../leads/shared-platforms.js';
import { type Criteria, defineScraper, ScrapeFailure, type ScraperTools } from '../scraper.js';
import { NOTHING_TO_SEARCH_FOR } from '../search/plan-search.js';
import { askCrunchbase, KEY_VARIABLE, PLACE } from './crunchbase-api.js';
import { industryCalled, type OneOf, placesCalled } from './crunchbase-names.js';

const FIELDS = [
  'identifier',
  'short_description',
  'website_url',
  'location_identifiers',
  'categories',
  'category_groups',
  'contact_email',
  'phone_number',
  'founded_on',
  'num_employees_enum',
];

const Text = z.string().trim().nullish().catch(undefined);

const Organization = z.object({
  uuid: z.string(),
  properties: z.object({
    identifier: z.object({ value: Text, permalink: Text }).nullish().catch(undefined),
    short_description: Text,
    website_url: Text,
    location_identifiers: z
      .array(z.object({ value: Text, location_type: Text }))
      .nullish()
      .catch(undefined),
    contact_email: Text,
    phone_number: Text,
  }),
});

/** The parts of an address, from the inside out. Larger areas do not belong into an address. */
const ADDRESS = ['city', 'region', 'country'];

const MAX_PREDICATES = 25;

const MAX_VALUES = 200;

const MIN_TERM_LENGTH = 3;

/** As many as a job stores by default. */
const MAX_RANKED = 1_000;

const PAGE = 100;
/** This allows far more leads than a job stores. */
const MAX_PAGES = 100;

const ResultPage = z.object({ entities: z.array(z.unknown()).nullish() });

/** Finds companies through Crunchbase's API v4, by rank. */
export const crunchbase = defineScraper({
  type: 'crunchbase',
  name: PLACE,
  filters: ['company_size', 'revenue', 'founded', 'country'],
  missing: ({ crunchbaseKey }) => (crunchbaseKey ? [] : [KEY_VARIABLE]),
  refuse(criteria) {
    const read = CompanyFilters.safeParse(criteria.filters);
    if (!read.success) return filterRefusal(read.error);
    return isEmpty(criteria, read.data) ? NOTHING_TO_SEARCH_FOR : undefined;
  },

  async *scrape(criteria, tools) {
    const refusal = crunchbase.refuse?.(criteria);
    if (refusal) throw new ScrapeFailure(refusal.message);
    const query = await predicatesFor(criteria, tools);
    const seen = new Set<string>();
    for await (const entity of matching(query, termsOf(criteria.searchQuery ?? ''), tools)) {
      const { data } = Organization.safeParse(entity);
      const lead = data && !seen.has(data.uuid) && toLead(data, entity);
      if (!lead) continue;
      seen.add(data.uuid);
      yield lead;
    }
  },
});

function isEmpty({ industry, geography, keywords, searchQuery }: Criteria, filters: CompanyFilters): boolean {
  const given = [industry, geography, ...keywords].some((text) => text?.trim());
  return !given && !termsOf(searchQuery ?? '').length && Object.values(filters).every((one) => one === undefined);
}

/** Yields companies whose descriptions contain all terms, then those with any of them, most terms first. */
async function* matching(query: Predicate[], terms: string[], tools: ScraperTools): AsyncGenerator<unknown> {
  const all = terms.map((term) => predicate('description', 'contains', [term]));
  yield* organizations([...query, ...all].slice(0, MAX_PREDICATES), tools);
  if (terms.length < 2) return;
  yield* ranked(organizations([...query, predicate('description', 'contains', terms)], tools), terms);
}

/** The API sorts by rank only, so as many companies as a job stores are sorted together. */
async function* ranked(entities: AsyncIterable<unknown>, terms: string[]): AsyncGenerator<unknown> {
  let batch: unknown[] = [];
  let failure: unknown;
  try {
    for await (const entity of entities) {
      batch.push(entity);
      if (batch.length < MAX_RANKED) continue;
      yield* byTerms(batch, terms);
      batch = [];
    }
  } catch (error) {
    failure = error;
  }
  yield* byTerms(batch, terms);
  if (failure) throw failure;
}

function byTerms(entities: unknown[], terms: string[]): unknown[] {
  const folded = terms.map(foldText);
  const count = (entity: unknown) => {
    const text = foldText(JSON.stringify(entity));
    return folded.filter((term) => text.includes(term)).length;
  };
  const counted = entities.map((entity) => ({ entity, terms: count(entity) }));
  return counted.toSorted((one, other) => other.terms - one.terms).map(({ entity }) => entity);
}

const Identified = z.object({ uuid: z.string() });

async function* organizations(query: Predicate[], tools: ScraperTools): AsyncGenerator<unknown> {
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const order = [{ field_id: 'rank_org', sort: 'asc' }];
    const body = { field_ids: FIELDS, query, order, limit: PAGE, ...(after && { after_id: after }) };
    const { entities } = await askCrunchbase({ path: 'searches/organizations', body, answer: ResultPage }, tools);
    yield* entities ?? [];
    const last = Identified.safeParse(entities?.at(-1)).data?.uuid;
    if (!entities || entities.length < PAGE || !last || last === after) return;
    after = last;
  }
}

interface Predicate {
  type: 'predicate';
  field_id: string;
  operator_id: 'includes' | 'contains' | 'gte' | 'lte';
  values: string[];
}

const predicate = (field_id: string, operator_id: Predicate['operator_id'], values: string[]): Predicate => ({
  type: 'predicate',
  field_id,
  operator_id,
  values: values.slice(0, MAX_VALUES),
});

async function predicatesFor(criteria: Criteria, tools: ScraperTools): Promise<Predicate[]> {
  const filters = CompanyFilters.parse(criteria.filters);
  const industry = criteria.industry?.trim();
  const resolved = industry ? await industryCalled(industry, tools) : undefined;
  const country = filters.country && COUNTRY_NAMES.of(filters.country);
  const places: OneOf[] = [];
  for (const place of [criteria.geography, country])
    if (place?.trim()) places.push(...(await placesCalled(place, tools)));
  const keywords = criteria.keywords.map((keyword) => keyword.trim()).filter(Boolean);
  return [
    predicate('facet_ids', 'includes', ['company']),
    ...[resolved ?? [], places].flat().map(({ field, uuids }) => predicate(field, 'includes', uuids)),
    ...(keywords.length ? [predicate('description', 'contains', keywords)] : []),
    // Crunchbase has no such industry, so descriptions are searched for it.
    ...(industry && !resolved ? [predicate('description', 'contains', [industry])] : []),
    ...filterPredicates(filters),
  ];
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

/** Crunchbase knows sizes and revenues as one of these brackets. */
const SIZES: Record<string, NumberRange> = {
  c_00001_00010: { max: 10 },
  c_00011_00050: { min: 11, max: 50 },
  c_00051_00100: { min: 51, max: 100 },
  c_00101_00250: { min: 101, max: 250 },
  c_00251_00500: { min: 251, max: 500 },
  c_00501_01000: { min: 501, max: 1_000 },
  c_01001_05000: { min: 1_001, max: 5_000 },
  c_05001_10000: { min: 5_001, max: 10_000 },
  c_10001_max: { min: 10_001 },
};

/** The upper bounds are exclusive, so that "1M-10M" is one bracket. */
const REVENUES: Record<string, NumberRange> = {
  r_00000000: { max: 1e6 - 1 },
  r_00001000: { min: 1e6, max: 1e7 - 1 },
  r_00010000: { min: 1e7, max: 5e7 - 1 },
  r_00050000: { min: 5e7, max: 1e8 - 1 },
  r_00100000: { min: 1e8, max: 5e8 - 1 },
  r_00500000: { min: 5e8, max: 1e9 - 1 },
  r_01000000: { min: 1e9, max: 1e10 - 1 },
  r_10000000: { min: 1e10 },
};

function filterPredicates({ company_size, revenue, founded }: CompanyFilters): Predicate[] {
  const upTo = revenue?.max !== undefined && revenue.max > (revenue.min ?? 0) ? revenue.max - 1 : revenue?.max;
  return [
    ...(company_size ? [predicate('num_employees_enum', 'includes', bracketsIn(SIZES, company_size))] : []),
    ...(revenue ? [predicate('revenue_range', 'includes', bracketsIn(REVENUES, { ...revenue, max: upTo }))] : []),
    ...(founded?.min === undefined ? [] : [predicate('founded_on', 'gte', [`${founded.min}-01-01`])]),
    ...(founded?.max === undefined ? [] : [predicate('founded_on', 'lte', [`${founded.max}-12-31`])]),
  ];
}

const bracketsIn = (brackets: Record<string, NumberRange>, range: NumberRange) =>
  Object.keys(brackets).filter((name) => overlaps(brackets[name] ?? {}, range));

function termsOf(query: string): string[] {
  const terms = [...query.matchAll(/(-?[\w]*:?)"([^"]+)"|(\S+)/gu)].map(([, before, phrase, word]) =>
    before ? '' : (phrase ?? word ?? ''),
  );
  const plain = terms.filter((term) => !/^(-|\w+:|OR$|AND$)/.test(term)).map((term) => term.replaceAll('"', '').trim());
  return [...new Set(plain.filter((term) => term.length >= MIN_TERM_LENGTH))];
}

type Organization = z.infer<typeof Organization>;

function toLead({ properties }: Organization, raw: unknown): FoundLead | undefined {
  const { identifier, website_url, contact_email, phone_number, location_identifiers } = properties;
  const name = identifier?.value;
  if (!name) return undefined;
  const located = ADDRESS.map(
    (type) => location_identifiers?.find(({ location_type }) => location_type === type)?.value,
  );
  return {
    name,
    domain: website_url ? ownDomain(website_url) : undefined,
    emails: contact_email ? [contact_email] : [],
    phones: phone_number ? [phone_number] : [],
    address: located.filter(Boolean).join(', ') || undefined,
    country: located.at(-1) ?? undefined,
    description: properties.short_description || undefined,
    url: identifier.permalink
      ? `https://www.crunchbase.com/organization/${encodeURIComponent(identifier.permalink)}`
      : undefined,
    raw,
  };
}
