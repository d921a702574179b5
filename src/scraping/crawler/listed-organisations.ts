import type { FoundLead } from '../leads/lead.js';
import { ownDomain } from '../leads/shared-platforms.js';
import type { SitePage } from './crawl-site.js';
import { isDescribed, textsOf } from './page/described.js';

/** Returns the organisations that the pages of a directory describe, each web address once. */
export function listedOrganisations(site: string, pages: SitePage[]): FoundLead[] {
  const listed = new Map<string, FoundLead>();
  for (const { content } of pages) {
    for (const organisation of content.organisations) {
      const domain = webAddressOf(organisation).find((one) => one !== site);
      if (domain && !listed.has(domain)) listed.set(domain, { ...organisation, domain });
    }
  }
  return [...listed.values()];
}

/** In directories, the `url` is often the directory's own page, and `sameAs` names the organisation's site. */
function webAddressOf({ domain, raw }: FoundLead): string[] {
  const others = isDescribed(raw) ? textsOf(raw.sameAs) : [];
  return [domain ?? '', ...others].flatMap((address) => ownDomain(address) ?? []);
}
