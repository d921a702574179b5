import type { FoundLead } from '../leads/lead.js';
import { fullTitle, metatag } from './google-result.js';
import type { SearchResult } from './google-search.js';

const HOST = /(^|\.)linkedin\.com$/;
const COMPANY = /^\/company\/([^/]+)(\/|$)/;

/** What LinkedIn adds to a company's name, in the title of its page and of the pages below it. */
const SITE = /(^|\s*(\||[-–—])\s*)LinkedIn( \p{L}+)?$/iu;
const SECTION = /\s*:\s*(overview|about|jobs|careers|life|people|posts|products|videos|events|insights|culture)$/iu;

/** A company's page; undefined for what is none, such as a person's or a post. */
export function companyPage(result: SearchResult): FoundLead | undefined {
  const slug = slugOf(result.link);
  if (!slug) return undefined;
  const title = fullTitle(result.title ?? '', metatag(result, 'og:title'));
  const name = title
    .replace(SITE, '')
    .replace(SECTION, '')
    .replace(/\s*(…|\.{3})$/u, '')
    .trim();
  return {
    name: name || slug,
    description: result.snippet ?? undefined,
    url: `https://www.linkedin.com/company/${slug}`,
    raw: result.raw,
  };
}

/** In the spelling that is the same for all of a company's pages. */
function slugOf(link: string): string | undefined {
  const { hostname, pathname } = new URL(link);
  const slug = HOST.test(hostname) ? COMPANY.exec(pathname)?.[1] : undefined;
  return slug?.toLowerCase().replace(/%[0-9a-f]{2}/g, (byte) => byte.toUpperCase());
}
