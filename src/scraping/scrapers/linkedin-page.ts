import type { FoundLead } from '../leads/lead.js';
import { fullTitle, metatag } from './google-result.js';
import type { SearchResult } from './google-search.js';

const HOST = /(^|\.)linkedin\.com$/;
const COMPANY = /^\/company\/([^/]+)(\/|$)/;

/** The suffixes that LinkedIn adds to a company's name in the titles of its pages. */
const SITE = /(^|\s*(\||[-–—])\s*)LinkedIn( \p{L}+)?$/iu;
const SECTION = /\s*:\s*(overview|about|jobs|careers|life|people|posts|products|videos|events|insights|culture)$/iu;

/** Returns the company of a page, or undefined for other pages, such as people or posts. */
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

/** Returns the slug in the spelling that all pages of a company share. */
function slugOf(link: string): string | undefined {
  const { hostname, pathname } = new URL(link);
  const slug = HOST.test(hostname) ? COMPANY.exec(pathname)?.[1] : undefined;
  return slug?.toLowerCase().replace(/%[0-9a-f]{2}/g, (byte) => byte.toUpperCase());
}
