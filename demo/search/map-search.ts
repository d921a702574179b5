import type { Reply, Site } from '../local-sites.js';
import { type Company, TOWN } from './companies.js';
import { type Item, OverpassInterpreter, ParseError } from './overpass-interpreter.js';

const TOWN_ID = 71_001;
const AREA = 3_600_000_000;
const SHOPS = { bakery: 'bakery', bookshop: 'books' };
const PACE_MS = 1_800;

/** Overpass over the map of one town. */
export function mapSearch(companies: Company[]): Site {
  const map = mapOf(companies);
  return ({ method, url, body }): Reply => {
    if (method !== 'POST' || url.pathname !== '/api/interpreter') return { status: 404, body: 'Not Found' };
    try {
      const query = new URLSearchParams(body.toString()).get('data') ?? '';
      const elements = new OverpassInterpreter(query, map).run().map(shown);
      return { ...json({ version: 0.6, generator: 'Overpass API', elements }), afterMs: PACE_MS };
    } catch (error) {
      if (error instanceof ParseError) return { status: 400, body: `<p>Error: ${error.message}</p>` };
      throw error;
    }
  };
}

const json = (value: object): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

function mapOf(companies: Company[]): Item[] {
  const town = { tags: { boundary: 'administrative', name: TOWN, admin_level: '8' }, lat: 54.2, lon: -3.1, within: [] };
  const shops = companies.map((company, at): Item => {
    const { name, phone, email, street, postcode, domain, description, trade } = company;
    const [, road = '', house = ''] = /^(.+) (\d+)$/.exec(street) ?? [];
    const address = { 'addr:street': road, 'addr:housenumber': house, 'addr:postcode': postcode, 'addr:city': TOWN };
    const tags = {
      name,
      shop: SHOPS[trade],
      phone,
      email,
      website: `https://www.${domain}/`,
      description,
      'addr:country': 'GB',
    };
    return {
      type: 'node',
      id: 9_000 + at,
      tags: { ...tags, ...address },
      lat: 54.2,
      lon: -3.1,
      within: [AREA + TOWN_ID],
    };
  });
  return [{ ...town, type: 'relation', id: TOWN_ID }, { ...town, type: 'area', id: AREA + TOWN_ID }, ...shops];
}

function shown({ type, id, tags, lat, lon }: Item) {
  if (type === 'area') return { type, id, tags };
  return type === 'node' ? { type, id, lat, lon, tags } : { type, id, center: { lat, lon }, tags };
}
