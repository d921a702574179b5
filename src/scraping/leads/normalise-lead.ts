import { parseWebAddress } from '../../platform/http/web-address.js';
import { storableText } from '../../platform/jobs/storable.js';
import { tidyText } from './fold-text.js';
import type { FoundLead, Lead } from './lead.js';
import { readCountry } from './read-country.js';
import { readEmail } from './read-email.js';
import { phoneRegion, readPhone } from './read-phone.js';
import { ownDomain } from './shared-platforms.js';

const MAX_BYTES = 100_000;

const MAX_DEPTH = 50;

const TOO_DEEP = 'left out: nested too deeply';

const MAX_LENGTHS = { name: 500, description: 5_000, address: 1_000, url: 2_000 };
const MAX_CONTACTS = 20;
const MAX_LIST_LENGTH = 5_000;
/** At most this many entries of a source's list are read. */
const MAX_READ = 200;

/**
 * Returns a lead that is comparable across sources and fits into the database, or undefined if it has no usable name.
 */
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

/** Accepts a domain, a host name or a web address of the company. */
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
