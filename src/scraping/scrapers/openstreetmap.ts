import type { FoundLead } from '../leads/lead.js';
import { type Criteria, defineScraper, ScrapeFailure, type ScraperTools } from '../scraper.js';
import { filterOf, type Kind, kindsOf, tagReader } from './osm-kinds.js';
import { areasNamed, type Place, readPlace, union } from './osm-place.js';
import { askOverpass, type Element, type OverpassResult, SERVER_TIMEOUT } from './overpass.js';

/** The maximum number of results. The server offers no further pages. */
const MAX_ELEMENTS = 2_000;
const MAX_AREAS = 100;

const WEBSITES = ['website', 'contact:website', 'url'];

const EMAILS = ['email', 'contact:email'];

const PHONES = ['phone', 'contact:phone', 'mobile', 'contact:mobile'];

export const openstreetmap = defineScraper({
  type: 'openstreetmap',
  name: 'OpenStreetMap',
  filters: ['bbox'],

  refuse(criteria) {
    const plan = planOf(criteria);
    return 'path' in plan ? plan : undefined;
  },

  async *scrape(criteria, tools) {
    const plan = planOf(criteria);
    if ('path' in plan) throw new ScrapeFailure(`${plan.path}: ${plan.message}`);
    const { areas, elements, failure } = await find(plan, tools);
    const country = areas[0] && countryOf(areas[0]);
    const taggedAs = tagReader(criteria);
    for (const element of elements) {
      const lead = toLead(element, { taggedAs: taggedAs(element.tags), country });
      if (lead) yield lead;
    }
    if (failure) throw failure;
  },
});

interface Plan {
  place: Place;
  kinds: Kind[];
}

function planOf(criteria: Criteria): Plan | { path: string; message: string } {
  const place = readPlace(criteria);
  if ('path' in place) return place;
  const kinds = kindsOf(criteria);
  if (kinds.length > 0) return { place, kinds };
  if (criteria.industry?.trim()) return { path: 'industry', message: 'too short to be looked for' };
  if (criteria.keywords.length > 0) return { path: 'keywords', message: 'all of them are too short to be looked for' };
  return { path: 'industry', message: 'OpenStreetMap is searched by industry, or else by keywords: give one of them' };
}

/** Names of places are not unique. If several match, the search is repeated for the largest one. */
async function find({ place, kinds }: Plan, tools: ScraperTools): Promise<OverpassResult> {
  const found = await askOverpass(queryIn(place, kinds), tools);
  const [largest, ...others] = found.areas.toSorted(bySize);
  if (largest && others.length > 0) {
    tools.signal.throwIfAborted();
    return { ...(await askOverpass(queryInArea(largest.id, kinds), tools)), areas: [largest] };
  }
  const isNowhere = 'names' in place && !largest && found.elements.length === 0 && !found.failure;
  if (isNowhere) throw new ScrapeFailure(`OpenStreetMap knows no place named ${place.names.join(', ')}`);
  return found;
}

/** Sorts by population, then by administrative level: states before towns. */
function bySize(one: Element, other: Element): number {
  return people(other) - people(one) || rank(one) - rank(other) || one.id - other.id;
}

const people = ({ tags }: Element): number => Number(tags.population?.replace(/[\s,.']/g, '')) || 0;
const rank = ({ tags }: Element): number => Number(tags.admin_level) || 99;

type Tags = Element['tags'];

interface Context {
  taggedAs: string[];
  country: string | undefined;
}

function toLead({ type, id, tags, position }: Element, { taggedAs, country }: Context): FoundLead | undefined {
  const name = tags.name?.trim();
  if (!name) return undefined;
  return {
    name,
    domain: valuesOf(tags, WEBSITES)[0],
    emails: valuesOf(tags, EMAILS),
    phones: valuesOf(tags, PHONES),
    address: postalAddress(tags),
    country: tags['addr:country'] ?? country,
    description: tags.description ?? tags['description:en'],
    url: `https://www.openstreetmap.org/${type}/${id}`,
    raw: { type, id, tags, position, taggedAs },
  };
}

function countryOf({ tags }: Element): string | undefined {
  return (
    tags['ISO3166-1'] ?? tags['ISO3166-1:alpha2'] ?? tags['ISO3166-2']?.split('-')[0] ?? tags['is_in:country_code']
  );
}

/** A tag separates several values by semicolons. */
function valuesOf(tags: Tags, keys: string[]): string[] {
  const values = keys.flatMap((key) => tags[key]?.split(';') ?? []).map((value) => value.trim());
  return [...new Set(values.filter(Boolean))];
}

function postalAddress(tags: Tags): string | undefined {
  if (tags['addr:full']) return tags['addr:full'];
  const street = joined(' ', tags['addr:street'] ?? tags['addr:place'], tags['addr:housenumber']);
  const town = joined(' ', tags['addr:postcode'], tags['addr:city'] ?? tags['addr:town'] ?? tags['addr:village']);
  return joined(', ', street, town, tags['addr:state'] ?? tags['addr:province']);
}

function joined(separator: string, ...parts: (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(separator) || undefined;
}

function queryIn(place: Place, kinds: Kind[]): string {
  if ('box' in place) return query('', kinds, `(${place.box.map((degrees) => degrees.toFixed(7)).join(',')})`);
  return query(`${areasNamed(place.names)}.a out tags ${MAX_AREAS};`, kinds, '(area.a)');
}

const queryInArea = (areaId: number, kinds: Kind[]): string => query('', kinds, `(area:${areaId})`);

function query(before: string, kinds: Kind[], within: string): string {
  const filters = new Set(kinds.flatMap(({ selectors }) => selectors.map(filterOf)));
  const statements = [...filters].map((filter) => `nwr${filter}["name"]${within}`);
  return `[out:json][timeout:${SERVER_TIMEOUT}];${before}${union(statements)};out center tags ${MAX_ELEMENTS};`;
}
