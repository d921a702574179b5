import { nameLikeDomain, partsOfTitle } from '../leads/company-name.js';

const MAX_LENGTH = 200;

/** The name in the title of a front page: of several parts the one that the domain is made of. */
export function nameInTitle(title: string, domain: string): string | undefined {
  const parts = partsOfTitle(title).filter((part) => part.length <= MAX_LENGTH);
  return nameLikeDomain(parts, domain) ?? parts[0];
}
