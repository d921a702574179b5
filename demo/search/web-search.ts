import type { Reply, Site } from '../local-sites.js';
import { type Company, TOWN } from './companies.js';

export const GOOGLE = { key: 'demo-search-key', engine: 'demo-engine' };
const PACE_MS = 900;

/** Programmable Search over the companies' sites, ten results a page. */
export function webSearch(companies: Company[]): Site {
  return ({ url: { pathname, searchParams } }): Reply => {
    const asked = { key: searchParams.get('key'), engine: searchParams.get('cx') };
    if (pathname !== '/customsearch/v1') return failure(404, 'Requested entity was not found.');
    if (asked.key !== GOOGLE.key || asked.engine !== GOOGLE.engine) return failure(400, 'API key not valid.');
    const [start, count] = [Number(searchParams.get('start') ?? 1), Number(searchParams.get('num') ?? 10)];
    const found = companies.filter((company) => isMeant(company, searchParams.get('q') ?? ''));
    const items = found.slice(start - 1, start - 1 + count).map(result);
    const request = { totalResults: String(found.length), count: items.length, startIndex: start };
    const nextPage = found.length >= start + count ? [{ ...request, startIndex: start + count }] : undefined;
    const answer = { kind: 'customsearch#search', queries: { request: [request], ...(nextPage && { nextPage }) } };
    return { ...json({ ...answer, ...(items.length && { items }) }), afterMs: PACE_MS };
  };
}

const json = (value: object, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const failure = (code: number, message: string) => json({ error: { code, message, status: 'INVALID_ARGUMENT' } }, code);

/** Companies whose phone number ends in 0, 3, 6 or 9 are missing in the search engine. */
function isMeant({ name, description, trade, phone }: Company, query: string): boolean {
  if (Number(phone.at(-1)) % 3 === 0) return false;
  const words = query.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const text = `${name} ${description} ${trade}`.toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
}

function result({ name, domain, email, description, phone, street, postcode }: Company) {
  const link = `https://www.${domain}/`;
  const place = { streetaddress: street, postalcode: postcode, addresslocality: TOWN, addresscountry: 'GB' };
  return {
    kind: 'customsearch#result',
    title: `${name} – ${TOWN}`,
    link,
    displayLink: `www.${domain}`,
    snippet: `${description}. ${street}, ${TOWN}.`,
    pagemap: { organization: [{ name, email, telephone: phone }], postaladdress: [place] },
  };
}
