import { hostOf } from '../../../platform/hosts/host-of.js';
import { parseWebAddress } from '../../../platform/http/web-address.js';
import { type NumberRange, readRange } from '../../leads/company-filters.js';
import type { FoundLead } from '../../leads/lead.js';
import { bounded, type Described, isDescribed, listOf, textOf, textsOf } from './described.js';

const MAX_POINTS = 20;

/** Returns undefined if the organisation has no name. */
export function toOrganisation(thing: Described, pageUrl: string): FoundLead | undefined {
  const name = textOf(thing.name) ?? textOf(thing.legalName);
  if (!name) return undefined;
  const own = webAddress(thing.url, new URL(pageUrl)) ?? webAddress(thing['@id']);
  const contacts = [thing, ...contactPoints(thing)];
  const postal =
    listOf(thing.address)[0] ?? listOf(isDescribed(thing.location) ? thing.location.address : undefined)[0];
  return {
    name,
    domain: own && hostOf(own),
    emails: contacts.flatMap(({ email }) => textsOf(email)).map((email) => email.replace(/^mailto:/i, '')),
    phones: contacts.flatMap(({ telephone }) => textsOf(telephone)).map((phone) => phone.replace(/^tel:/i, '')),
    address: addressLine(postal),
    country: isDescribed(postal) ? textOf(postal.addressCountry) : undefined,
    description: textOf(thing.description),
    companySize: employeesOf(thing.numberOfEmployees),
    founded: yearOf(textOf(thing.foundingDate)),
    url: pageUrl,
    raw: bounded(thing),
  };
}

/** A number, a text such as `11-50`, or a `QuantitativeValue`. */
function employeesOf(value: unknown): NumberRange | undefined {
  const [first] = listOf(value);
  if (!isDescribed(first)) return readRange(textOf(first) ?? '');
  const exact = readRange(textOf(first.value) ?? '');
  const bounds = [textOf(first.minValue), textOf(first.maxValue)];
  return exact ?? readRange(bounds.filter(Boolean).join('-'));
}

function yearOf(date = ''): number | undefined {
  const [, year] = /^(\d{4})(?!\d)/.exec(date) ?? [];
  return year ? Number(year) : undefined;
}

function contactPoints({ contactPoint, contactPoints }: Described): Described[] {
  return [...listOf(contactPoint), ...listOf(contactPoints)]
    .filter(isDescribed)
    .filter(({ contactType }) => !/fax/i.test(textOf(contactType) ?? ''))
    .slice(0, MAX_POINTS);
}

function addressLine(postal: unknown): string | undefined {
  if (!isDescribed(postal)) return textOf(postal);
  const street = textOf(postal.streetAddress) ?? textOf(postal.postOfficeBoxNumber);
  const locality = textOf(postal.addressLocality);
  const town = [textOf(postal.postalCode), locality].filter(Boolean).join(' ');
  const region = textOf(postal.addressRegion);
  const parts = [street, town, region === locality ? undefined : region];
  return parts.filter(Boolean).join(', ') || textOf(postal.name);
}

function webAddress(value: unknown, base?: URL): URL | undefined {
  const text = textOf(value);
  return text ? parseWebAddress(text, base)?.url : undefined;
}
