import { domainToASCII } from 'node:url';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { getDomain } from 'tldts';
import { parseWebAddress } from '../../platform/http/web-address.js';
import { storableText } from '../../platform/jobs/storable.js';
import { tidyText } from './fold-text.js';
import type { FoundLead, Lead } from './lead.js';
import { readCountry } from './read-country.js';
import { ownDomain } from './shared-platforms.js';

const MAX_BYTES = 100_000;

const MAX_DEPTH = 50;

const TOO_DEEP = 'left out: nested too deeply';

const MAX_LENGTHS = { name: 500, description: 5_000, address: 1_000, url: 2_000 };
const MAX_CONTACTS = 20;
const MAX_LIST_LENGTH = 5_000;
const MAX_EMAIL_LENGTH = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Names of high-resolution images (logo@2x.png) look like e-mail addresses. */
const FILE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|woff2?)$/;

const MAX_PHONE_LENGTH = 50;
const MIN_DIGITS = 5;
const FAX = /^\P{L}*(?:tele|télé)?(?:fax|faks|facsimile|факс)/iu;
const COMMENT = /\p{L}{2,}/u;

/** Country domains that are sold worldwide and so do not indicate a country. */
const SOLD_WIDELY = new Set(['ai', 'cc', 'co', 'fm', 'gg', 'io', 'la', 'ly', 'me', 'sh', 'so', 'to', 'tv', 'vc', 'ws']);

const MAX_READ = 200;

/** Returns undefined if the lead has no usable name. */
export function normaliseLead(found: FoundLead): Lead | undefined {
  const name = tidyText(found.name, MAX_LENGTHS.name);
  if (!name || !/[\p{L}\p{N}]/u.test(name)) return undefined;
  const domain = readDomain(found.domain ?? '');
  const country = readCountry(found.country ?? '');
  const region = phoneRegion(country, domain);
  return {
    name,
    domain: domain ?? null,
    emails: listed(found.emails, /[;,]/, readEmail),
    phones: listed(found.phones, /[;,|]|\/(?= ?\+)/, (text) => readPhone(text, region)),
    address: tidyText(found.address, MAX_LENGTHS.address) ?? null,
    country: country ?? null,
    description: tidyText(found.description, MAX_LENGTHS.description) ?? null,
    url: readUrl(found.url ?? '') ?? null,
    rawPayload: keptPayload(found.raw),
  };
}

function readDomain(text: string): string | undefined {
  const given = text.slice(0, MAX_LENGTHS.url).trim();
  const address = parseWebAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`);
  // An address with a user is an e-mail address, whose domain may belong to another company.
  return address && !address.authorization ? ownDomain(address.url.hostname) : undefined;
}

function readUrl(text: string): string | undefined {
  const href = parseWebAddress(storableText(text).trim())?.url.href;
  return href && href.length <= MAX_LENGTHS.url ? href : undefined;
}

/** Sources often write several contacts into one text. */
function listed(texts: string[] | undefined, between: RegExp, read: (text: string) => string | undefined): string[] {
  const parts = (texts ?? []).slice(0, MAX_READ).flatMap((text) => text.slice(0, MAX_LIST_LENGTH).split(between));
  const all = parts.slice(0, MAX_READ).flatMap((text) => read(text) ?? []);
  return [...new Set(all)].slice(0, MAX_CONTACTS);
}

/** Returns an e-mail address in lower case and ASCII, from a plain address, a mailto: link or `Name <address>`. */
function readEmail(text: string): string | undefined {
  const start = text.slice(0, MAX_EMAIL_LENGTH * 4);
  const [, inner = start] = /<([^<>]+)>\s*$/.exec(start) ?? [];
  const address = inner
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/\?.*$/s, '')
    .trim()
    .replace(/[.,;]+$/, '');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const host = domainToASCII(address.slice(at + 1));
  if (at < 1 || at > 64 || !LOCAL_PART.test(local)) return undefined;
  if (!getDomain(host) || FILE.test(host)) return undefined;
  const email = `${local}@${host}`;
  return email.length <= MAX_EMAIL_LENGTH ? email : undefined;
}

function readPhone(text: string, region: CountryCode | undefined): string | undefined {
  // Labels such as "Tel.:" are removed, and fax numbers are not phone numbers.
  const given = tidyText(text, MAX_PHONE_LENGTH * 2)?.normalize('NFKC');
  const tidy = given?.replace(/^[^\p{Nd}+(]+/u, '');
  if (!given || !tidy || FAX.test(given)) return undefined;
  const dialled = tidy.replace(/^\(?00\)?(?=[\s1-9])/, '+');
  const options = { extract: false, ...(region && { defaultCountry: region }) };
  for (const spelling of [tidy, dialled]) {
    const number = parsePhoneNumberFromString(spelling, options);
    if (number?.isValid()) return number.number;
  }
  const isNumber =
    (tidy.match(/\p{Nd}/gu)?.length ?? 0) >= MIN_DIGITS && !COMMENT.test(tidy.replace(/\bext\b.*$/i, ''));
  return isNumber && tidy.length <= MAX_PHONE_LENGTH ? tidy : undefined;
}

function phoneRegion(country: string | undefined, domain: string | undefined): CountryCode | undefined {
  const suffix = domain?.split('.').at(-1) ?? '';
  const byDomain = SOLD_WIDELY.has(suffix) ? '' : suffix === 'uk' ? 'GB' : suffix.toUpperCase();
  return [country, byDomain].find((code): code is CountryCode => code !== undefined && isSupportedCountry(code));
}

/** Returns the source's data as storable JSON, or a note in its place if it is too large. */
function keptPayload(raw: unknown): unknown {
  const kept = copied(raw, MAX_DEPTH);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  return bytes <= MAX_BYTES ? kept : { note: `left out: ${bytes} bytes, at most ${MAX_BYTES} are kept` };
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value === null || typeof value !== 'object') return null;
  if (depth === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((inner) => copied(inner, depth - 1));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), copied(inner, depth - 1)]));
}
