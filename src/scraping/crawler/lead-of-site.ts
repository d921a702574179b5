import { getDomain } from 'tldts';
import { nameLikeDomain, partsOfTitle } from '../leads/company-name.js';
import type { FoundLead } from '../leads/lead.js';
import type { SitePage } from './crawl-site.js';
import { WORTH } from './page-worth.js';

/** The maximum size of stored organisation data, in characters of JSON. */
const MAX_NAME_LENGTH = 200;
const MAX_KEPT = 50_000;
const MAX_LINE_LENGTH = 500;

/** Combines all pages of a site to a lead for the company that owns it. Structured data takes precedence. */
export function leadOfSite(site: string, given: [SitePage, ...SitePage[]]): FoundLead {
  const pages = given.toSorted((a, b) => a.worth - b.worth);
  const informative = pages.filter(({ worth }) => worth < WORTH.other);
  const own = ownOrganisations(pages, site);
  const first = <Key extends keyof FoundLead>(key: Key) => own.map((one) => one[key]).find(Boolean);
  return {
    name: own[0]?.name ?? nameOf(pages, site),
    domain: getDomain(site, { allowPrivateDomains: true }) ?? undefined,
    emails: emailsOf([...own.flatMap(({ emails }) => emails ?? []), ...pageEmails(pages, site)], site),
    phones: phonesOf([
      ...own.flatMap(({ phones }) => phones ?? []),
      ...informative.flatMap(({ content }) => content.phones),
    ]),
    address: first('address'),
    country: first('country'),
    description: first('description') ?? pages.map(({ content }) => content.description).find(Boolean),
    companySize: first('companySize'),
    founded: first('founded'),
    url: pages[0]?.url,
    raw: rawOf(given),
  };
}

function rawOf(pages: SitePage[]) {
  return {
    pages: pages.map(({ url }) => url),
    titles: unique(pages.flatMap(({ content }) => content.title?.slice(0, MAX_LINE_LENGTH) ?? [])),
    descriptions: unique(pages.flatMap(({ content }) => content.description?.slice(0, MAX_LINE_LENGTH) ?? [])),
    organisations: keptOf(pages.flatMap(({ content }) => content.organisations.map(({ raw }) => raw))),
  };
}

/** Most sites describe themselves in the same way on every page, so duplicates are removed. */
function keptOf(raws: unknown[]): unknown[] {
  let left = MAX_KEPT;
  return unique(raws.map((raw) => JSON.stringify(raw)))
    .filter((json) => {
      left -= json.length;
      return left >= 0;
    })
    .map((json): unknown => JSON.parse(json));
}

/** A page may also describe customers, publishers and partners, which have another address or another name. */
function ownOrganisations(pages: SitePage[], site: string): FoundLead[] {
  const shown = pages.flatMap(({ worth, content }) =>
    content.organisations.filter(({ domain }) => domain === site || (!domain && worth < WORTH.other)),
  );
  const main = shown.find(({ domain }) => domain === site) ?? shown[0];
  if (!main) return [];
  return [main, ...shown.filter((one) => one !== main && (one.domain === site || sameName(one.name, main.name)))];
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function nameOf(pages: SitePage[], site: string): string {
  const siteName = pages.map(({ content }) => content.siteName).find(Boolean);
  const fromTitle = pages.map(({ content }) => nameInTitle(content.title ?? '', site)).find(Boolean);
  return siteName ?? fromTitle ?? site;
}

/** E-mail addresses in articles may belong to others; those on an imprint or contact page belong to the company. */
function pageEmails(pages: SitePage[], site: string): string[] {
  return pages.flatMap(({ worth, content }) =>
    content.emails.filter((email) => worth < WORTH.other || isAt(site, email)),
  );
}

function emailsOf(emails: string[], site: string): string[] {
  const all = unique(emails.map((email) => email.trim().toLowerCase()));
  return [...all.filter((email) => isAt(site, email)), ...all.filter((email) => !isAt(site, email))];
}

const isAt = (site: string, email: string) => email.endsWith(`@${site}`) || email.endsWith(`.${site}`);

function phonesOf(phones: string[]): string[] {
  const first = new Map<string, string>();
  for (const phone of phones) {
    const digits = phone.replace(/\D/g, '');
    if (digits && !first.has(digits)) first.set(digits, phone);
  }
  return [...first.values()];
}

const unique = (texts: string[]) => [...new Set(texts)];

/** Prefers the segment that matches the domain. */
export function nameInTitle(title: string, domain: string): string | undefined {
  const parts = partsOfTitle(title).filter((part) => part.length <= MAX_NAME_LENGTH);
  return nameLikeDomain(parts, domain) ?? parts[0];
}
