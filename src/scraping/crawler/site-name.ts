import { nameLikeDomain, partsOfTitle } from '../leads/company-name.js';

const LONGEST = 200;

/** The name in the title of a front page: of several parts the one that the domain is made of. */
export function nameInTitle(title: string, domain: string): string | undefined {
  const parts = partsOfTitle(title).filter((part) => part.length <= LONGEST);
  return nameLikeDomain(parts, domain) ?? parts[0];
}
