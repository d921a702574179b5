import type { Config } from '../platform/config.js';
import { remoteScraper } from './remote-scraper.js';
import type { Scraper } from './scraper.js';
import { crunchbase } from './scrapers/crunchbase.js';
import { google } from './scrapers/google.js';
import { linkedin } from './scrapers/linkedin.js';
import { openstreetmap } from './scrapers/openstreetmap.js';
import { web } from './scrapers/web.js';

/** Every place that Millrace itself can look for leads in. */
const SCRAPERS: readonly Scraper[] = [google, crunchbase, linkedin, openstreetmap, web];

/** Those, and the ones that workers search; a worker may also take the place of one. */
export function scrapersFor({ remoteScrapers }: Pick<Config, 'remoteScrapers'>): Scraper[] {
  const remote = new Set(remoteScrapers);
  return [...SCRAPERS.filter(({ type }) => !remote.has(type)), ...remoteScrapers.map(remoteScraper)];
}
