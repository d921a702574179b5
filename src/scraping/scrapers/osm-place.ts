import { z } from 'zod';
import { readCountry } from '../leads/read-country.js';
import type { Criteria } from '../scraper.js';
import { quoted } from './overpass.js';

/** South, west, north and east in degrees. */
const BoundingBox = z
  .tuple([z.number().min(-90).max(90), z.number().min(-180).max(180), z.number().max(90), z.number().max(180)])
  .refine(([south, west, north, east]) => south < north && west < east);

/** A box, or a place by its name and those of the places around it, such as ['Berlin', 'Germany']. */
export type Place = { box: z.infer<typeof BoundingBox> } | { names: string[] };

const MAX_NAMES = 4;
const NAME_KEYS = ['name', 'name:en', 'name:de', 'name:fr', 'name:es', 'int_name', 'short_name'];
const BOUNDARY = '["boundary"~"^(administrative|ceremonial|place)$"]';
/** Words in the names of places that are not capitalised. */
const SMALL =
  /^(?:am|an|and|auf|bei|da|das|de|del|della|der|des|di|do|dos|du|el|en|im|in|la|las|le|les|los|of|ob|sur|the|und|unter|upon|y)$/;

export function readPlace({ geography = '', filters }: Criteria): Place | { path: string; message: string } {
  if (filters.bbox !== undefined && filters.bbox !== null) {
    const box = BoundingBox.safeParse(filters.bbox);
    if (box.success) return { box: box.data };
    return { path: 'filters.bbox', message: 'a box is [south, west, north, east] in degrees' };
  }
  const names = geography.split(',').map((name) => name.replace(/[\p{Cc}\s]+/gu, ' ').trim());
  const given = names.filter((name) => /\p{L}/u.test(name));
  if (given.length === 0) {
    return { path: 'geography', message: 'OpenStreetMap is searched by place: name one, or give filters.bbox' };
  }
  if (given.length > MAX_NAMES) {
    return { path: 'geography', message: 'a place is named by itself and at most three around it' };
  }
  return { names: given };
}

export function areasNamed(names: string[]): string {
  const [name = '', ...around] = names;
  const outer = around.at(-1);
  if (outer === undefined) return `${outermost(name, 'only')}->.a;`;
  const scopes = around.toReversed();
  const inner = [...scopes.slice(1), name].map((one, at, all) => {
    const into = at === all.length - 1 ? 'a' : `s${at + 1}`;
    return `${union(named('rel', one, `(area.s${at})`))}->.r;.r map_to_area->.${into};`;
  });
  return `${outermost(outer, 'too')}->.s0;${inner.join('')}`;
}

/** Matches a country if the name is one. With other places inside, it may also be a state of that name or code. */
function outermost(name: string, country: 'only' | 'too'): string {
  const code = readCountry(name);
  const byCode = code ? [`area["ISO3166-1"=${quoted(code)}]["admin_level"="2"]`] : [];
  if (code && country === 'only') return union(byCode);
  const state = /^[A-Z]{2,3}$/.test(name) ? [`area["ISO3166-2"~${quoted(`^(US|CA|AU)-${name}$`)}]`] : [];
  return union([...byCode, ...state, ...named('area', name, '')]);
}

function named(type: 'area' | 'rel', name: string, within: string): string[] {
  return spellings(name).flatMap((one) =>
    NAME_KEYS.map((key) => `${type}${BOUNDARY}[${quoted(key)}=${quoted(one)}]${within}`),
  );
}

/** Names are compared exactly, so "frankfurt am main" is also tried as "Frankfurt am Main". */
function spellings(name: string): string[] {
  const lower = name.toLowerCase();
  if (name !== lower && name !== name.toUpperCase()) return [name];
  const capitals = lower.replace(/[^\s-]+/g, (word, at: number) =>
    at > 0 && SMALL.test(word) ? word : word.replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase()),
  );
  return [...new Set([name, capitals])];
}

export const union = (statements: string[]): string => `(${statements.map((one) => `${one};`).join('')})`;
