import type { Config } from '../platform/config.js';
import { remoteScraper } from './remote-scraper.js';
import type { Scraper } from './scraper.js';
import { crunchbase } from './scrapers/crunchbase.js';
import { google } from './scrapers/google.js';
import { linkedin } from './scrapers/linkedin.js';
import { openstreetmap } from './scrapers/openstreetmap.js';
import { web } from './scrapers/web.js';

/** The scrapers that Millrace itself contains. */
const SCRAPERS: readonly Scraper[] = [google, crunchbase, linkedin, openstreetmap, web];

/** Returns the built-in scrapers and those of workers. A worker may replace a built-in one. */
export function scrapersFor({ remoteScrapers }: Pick<Config, 'remoteScrapers'>): Scraper[] {
  const remote = new Set(remoteScrapers);
  return [...SCRAPERS.filter(({ type }) => !remote.has(type)), ...remoteScrapers.map(remoteScraper)];
}
