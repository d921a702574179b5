import type { Reply, Site } from '../local-sites.js';
import { type Company, TOWN } from './companies.js';

const PACE_MS = 900;
const PAGE = 10;

/** A SearXNG server that knows the companies' sites, ten results a page. */
export function webSearch(companies: Company[]): Site {
  return ({ url: { pathname, searchParams } }): Reply => {
    if (pathname !== '/search' || searchParams.get('format') !== 'json') return json({ error: 'Not found' }, 404);
    const query = searchParams.get('q') ?? '';
    const start = (Number(searchParams.get('pageno') ?? 1) - 1) * PAGE;
    const found = companies.filter((company) => isMeant(company, query));
    const results = found.slice(start, start + PAGE).map(result);
    const others = { answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
    return { ...json({ query, number_of_results: found.length, results, ...others }), afterMs: PACE_MS };
  };
}

const json = (value: object, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** Companies whose phone number ends in 0, 3, 6 or 9 are missing in the search engine. */
function isMeant({ name, description, trade, phone }: Company, query: string): boolean {
  if (Number(phone.at(-1)) % 3 === 0) return false;
  const words = query.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const text = `${name} ${description} ${trade}`.toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
}

function result({ name, domain, description, street }: Company, at: number) {
  return {
    url: `https://www.${domain}/`,
    title: `${name} – ${TOWN}`,
    content: `${description}. ${street}, ${TOWN}.`,
    engine: 'demo',
    engines: ['demo'],
    positions: [at + 1],
    score: 1 / (at + 1),
    category: 'general',
  };
}
