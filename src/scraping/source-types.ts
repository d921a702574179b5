import type { Config } from '../platform/config.js';

const NATIVE = ['google', 'crunchbase', 'linkedin', 'openstreetmap', 'web'];

/** Where leads can be looked for: what Millrace scrapes itself, and what workers scrape for it. */
export function sourceTypes({ remoteScrapers }: Pick<Config, 'remoteScrapers'>): ReadonlySet<string> {
  return new Set([...NATIVE, ...remoteScrapers]);
}
