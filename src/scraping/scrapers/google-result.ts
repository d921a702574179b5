import { z } from 'zod';
import { nameLikeDomain, partsOfTitle } from '../leads/company-name.js';
import type { FoundLead } from '../leads/lead.js';
import { ownDomain } from '../leads/shared-platforms.js';
import type { SearchResult } from '../search/search-provider.js';

/** Structured data of a page as the engine returns it: names in lower case, values as text. */
const Structured = z.array(z.record(z.string(), z.unknown())).catch([]);
const MAX_TEXT_LENGTH = 1_000;
const Text = z
  .string()
  .transform((text) => text.slice(0, MAX_TEXT_LENGTH).trim() || undefined)
  .optional()
  .catch(undefined);
type Entry = z.infer<typeof Structured>[number];

const ORGANISATIONS = ['organization', 'corporation', 'localbusiness'];

/** A page on a platform has no domain, because the platform's domain is not the company's. */
export function toLead(result: SearchResult): FoundLead | undefined {
  const domain = ownDomain(result.link);
  const organisation = organisationOf(result, domain);
  const name = textOf(organisation, 'name') ?? nameOf(result, domain) ?? domain;
  if (!name) return undefined;
  return {
    name,
    domain,
    emails: listOf(textOf(organisation, 'email')),
    phones: listOf(textOf(organisation, 'telephone')),
    ...(organisation && postalAddress(result, organisation)),
    description: result.snippet ?? undefined,
    url: result.link,
    raw: result.raw,
  };
}

/** If a page describes several organisations, as directories do, only one that matches the domain counts. */
function organisationOf(result: SearchResult, domain: string | undefined): Entry | undefined {
  const named = ORGANISATIONS.flatMap((type) => entriesOf(result, type)).filter((entry) => textOf(entry, 'name'));
  const names = [...new Set(named.map((entry) => textOf(entry, 'name') ?? ''))];
  const name = names.length > 1 ? domain && nameLikeDomain(names, domain) : names[0];
  return named.find((entry) => textOf(entry, 'name') === name);
}

function nameOf(result: SearchResult, domain: string | undefined): string | undefined {
  const parts = partsOfTitle(fullTitle(result.title ?? '', metatag(result, 'og:title')));
  // On a platform, the site's name is the platform's.
  if (!domain) return parts[0];
  const [siteName] = partsOfTitle(metatag(result, 'og:site_name') ?? '');
  return siteName ?? nameLikeDomain(parts, domain) ?? parts[0];
}

/** The engine shortens long titles. */
export function fullTitle(title: string, whole: string | undefined): string {
  const begun = title.replace(/\s*(…|\.{3})$/u, '');
  return whole && begun !== title && whole.startsWith(begun) ? whole : title;
}

function postalAddress(result: SearchResult, organisation: Entry): Pick<FoundLead, 'address' | 'country'> {
  const addresses = entriesOf(result, 'postaladdress');
  const own = addresses.length === 1 ? addresses[0] : undefined;
  const place = [textOf(own, 'postalcode'), textOf(own, 'addresslocality')].filter(Boolean).join(' ');
  const lines = [textOf(own, 'streetaddress'), place, textOf(own, 'addressregion')].filter(Boolean).join(', ');
  return { address: textOf(organisation, 'address') ?? (lines || undefined), country: textOf(own, 'addresscountry') };
}

/** Addresses of organisations in the page's structured data, such as a company's profile. */
export function organisationAddresses(result: SearchResult): string[] {
  const organisations = ORGANISATIONS.flatMap((type) => entriesOf(result, type));
  return organisations.flatMap((entry) => [textOf(entry, 'url'), textOf(entry, 'sameas')].flatMap((one) => one ?? []));
}

export function metatag(result: SearchResult, name: string): string | undefined {
  return textOf(entriesOf(result, 'metatags')[0], name);
}

function entriesOf({ pagemap }: SearchResult, type: string): Entry[] {
  return Structured.parse(pagemap?.[type]);
}

function textOf(entry: Entry | undefined, field: string): string | undefined {
  return Text.parse(entry?.[field]);
}

const listOf = (text: string | undefined) => (text ? [text] : []);
