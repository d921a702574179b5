import type { FoundLead } from '../leads/lead.js';
import type { Element } from './overpass.js';

type Tags = Element['tags'];

const WEBSITES = ['website', 'contact:website', 'url'];
const EMAILS = ['email', 'contact:email'];
const PHONES = ['phone', 'contact:phone', 'mobile', 'contact:mobile'];

export interface Context {
  /** The terms that were asked for and that it is tagged as. */
  taggedAs: string[];
  /** Of the area that was searched. */
  country: string | undefined;
}

/** An element as a lead; undefined without a name. */
export function toLead({ type, id, tags, position }: Element, { taggedAs, country }: Context): FoundLead | undefined {
  const name = tags.name?.trim();
  if (!name) return undefined;
  return {
    name,
    domain: valuesOf(tags, WEBSITES)[0],
    emails: valuesOf(tags, EMAILS),
    phones: valuesOf(tags, PHONES),
    address: addressOf(tags),
    country: tags['addr:country'] ?? country,
    description: tags.description ?? tags['description:en'],
    url: `https://www.openstreetmap.org/${type}/${id}`,
    raw: { type, id, tags, position, taggedAs },
  };
}

/** In which country an area lies, as far as its own codes tell. */
export function countryOf({ tags }: Element): string | undefined {
  return (
    tags['ISO3166-1'] ?? tags['ISO3166-1:alpha2'] ?? tags['ISO3166-2']?.split('-')[0] ?? tags['is_in:country_code']
  );
}

/** Several in one tag are separated by semicolons. */
function valuesOf(tags: Tags, keys: string[]): string[] {
  const values = keys.flatMap((key) => tags[key]?.split(';') ?? []).map((value) => value.trim());
  return [...new Set(values.filter(Boolean))];
}

function addressOf(tags: Tags): string | undefined {
  if (tags['addr:full']) return tags['addr:full'];
  const street = joined(' ', tags['addr:street'] ?? tags['addr:place'], tags['addr:housenumber']);
  const town = joined(' ', tags['addr:postcode'], tags['addr:city'] ?? tags['addr:town'] ?? tags['addr:village']);
  return joined(', ', street, town, tags['addr:state'] ?? tags['addr:province']);
}

function joined(separator: string, ...parts: (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(separator) || undefined;
}
