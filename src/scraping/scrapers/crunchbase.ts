import { z } from 'zod';
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

const PAGE = 100;
/** This allows far more leads than a job stores. */
const MAX_PAGES = 100;

const ResultPage = z.object({ entities: z.array(z.unknown()).nullish() });

/** Finds companies through Crunchbase's API v4, by rank. It has no filters of its own. */
export const crunchbase = defineScraper({
  type: 'crunchbase',
  name: PLACE,
  missing: ({ crunchbaseKey }) => (crunchbaseKey ? [] : [KEY_VARIABLE]),
  refuse: (criteria) => (isEmpty(criteria) ? NOTHING_TO_SEARCH_FOR : undefined),

  async *scrape(criteria, tools) {
    if (isEmpty(criteria)) throw new ScrapeFailure(NOTHING_TO_SEARCH_FOR.message);
    const industry = criteria.industry?.trim() ? await industryCalled(criteria.industry, tools) : undefined;
    const places = criteria.geography?.trim() ? await placesCalled(criteria.geography, tools) : [];
    const seen = new Set<string>();
    for await (const entity of organizations(predicatesFor(criteria, { industry, places }), tools)) {
      const { data } = Organization.safeParse(entity);
      const lead = data && !seen.has(data.uuid) && toLead(data, entity);
      if (!lead) continue;
      seen.add(data.uuid);
      yield lead;
    }
  },
});

function isEmpty({ industry, geography, keywords, searchQuery }: Criteria): boolean {
  const given = [industry, geography, ...keywords].some((text) => text?.trim());
  return !given && !termsOf(searchQuery ?? '').length;
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
  operator_id: 'includes' | 'contains';
  values: string[];
}

interface ResolvedNames {
  /** Undefined if Crunchbase has no such industry. Then descriptions are searched for it. */
  industry: OneOf | undefined;
  places: OneOf[];
}

const predicate = (field_id: string, operator_id: Predicate['operator_id'], values: string[]): Predicate => ({
  type: 'predicate',
  field_id,
  operator_id,
  values: values.slice(0, MAX_VALUES),
});

function predicatesFor({ industry, keywords, searchQuery = '' }: Criteria, resolved: ResolvedNames): Predicate[] {
  const unknownIndustry = industry?.trim() && !resolved.industry ? [industry.trim()] : [];
  const words = keywords.map((keyword) => keyword.trim()).filter(Boolean);
  return [
    predicate('facet_ids', 'includes', ['company']),
    ...[resolved.industry ?? [], resolved.places].flat().map(({ field, uuids }) => predicate(field, 'includes', uuids)),
    ...(words.length ? [predicate('description', 'contains', words)] : []),
    ...[...unknownIndustry, ...termsOf(searchQuery)].map((term) => predicate('description', 'contains', [term])),
  ].slice(0, MAX_PREDICATES);
}

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
