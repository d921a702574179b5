import { failureOf } from '../scrape-failure.js';
import { pageAddress } from './page-address.js';
import type { SiteVisits } from './site-visits.js';
import { parseSitemap, type Sitemap, sitemapText } from './sitemap.js';

const MOST_FILES = 3;
/** Those of posts and products name thousands of pages that say nothing about the company. */
const OF_PAGES = /page|seite|static|main|index|misc|company/i;

/** Addresses of pages that a site's sitemaps name. */
export async function sitemapPages(
  origin: string,
  visits: SiteVisits,
  isOurs: (url: URL) => boolean,
): Promise<string[]> {
  const { sitemaps } = await visits.robotsOf(origin);
  const waiting = sitemaps.length ? [...sitemaps] : [`${origin}/sitemap.xml`];
  const asked = new Set<string>();
  const pages: string[] = [];
  while (waiting.length && asked.size < MOST_FILES) {
    const url = pageAddress(waiting.shift() ?? '');
    if (!url || asked.has(url.href) || !isOurs(url)) continue;
    asked.add(url.href);
    const { isIndex, locations } = await read(url, visits);
    if (isIndex) waiting.unshift(...ofPagesFirst(locations));
    else pages.push(...locations);
  }
  return pages;
}

function ofPagesFirst(locations: string[]): string[] {
  const isOfPages = (location: string) => OF_PAGES.test(pageAddress(location)?.pathname ?? '');
  return [...locations.filter(isOfPages), ...locations.filter((location) => !isOfPages(location))];
}

/** A site without one is read all the same; if it will not be asked further, the next page shows that. */
async function read(url: URL, visits: SiteVisits): Promise<Sitemap> {
  try {
    const { body, headers } = await visits.get(url, 'application/xml, text/xml, */*;q=0.5');
    const text = await sitemapText(body, headers['content-type']);
    return parseSitemap(text ?? '');
  } catch (error) {
    if (failureOf(error)) return { isIndex: false, locations: [] };
    throw error;
  }
}
