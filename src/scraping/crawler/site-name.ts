import { nameLikeDomain, partsOfTitle } from '../leads/company-name.js';

const MAX_LENGTH = 200;

/** Returns the name in the title of a front page: the segment that matches the domain, or the first one. */
export function nameInTitle(title: string, domain: string): string | undefined {
  const parts = partsOfTitle(title).filter((part) => part.length <= MAX_LENGTH);
  return nameLikeDomain(parts, domain) ?? parts[0];
}
