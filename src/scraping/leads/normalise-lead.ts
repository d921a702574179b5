import { parseWebAddress } from '../../platform/http/web-address.js';
import { storableText } from '../../platform/queue/storable.js';
import { keptPayload } from './kept-payload.js';
import type { FoundLead, Lead } from './lead.js';
import { readCountry } from './read-country.js';
import { readEmail } from './read-email.js';
import { phoneRegion, readPhone } from './read-phone.js';
import { ownDomain } from './shared-platforms.js';
import { tidyText } from './tidy-text.js';

const LONGEST = { name: 500, description: 5_000, address: 1_000, url: 2_000 };
const MOST_CONTACTS = 20;
const LONGEST_LIST = 5_000;
/** Of what a source lists: whoever lists more lists anything. */
const MOST_READ = 200;

/** A lead that agrees with those of other sources, and fits into the database. Undefined if it has no name to speak of. */
export function normaliseLead(found: FoundLead): Lead | undefined {
  const name = tidyText(found.name, LONGEST.name);
  if (!name || !/[\p{L}\p{N}]/u.test(name)) return undefined;
  const domain = readDomain(found.domain ?? '');
  const country = readCountry(found.country ?? '');
  const region = phoneRegion(country, domain);
  return {
    name,
    domain: domain ?? null,
    emails: listed(found.emails, /[;,]/, readEmail),
    phones: listed(found.phones, /[;,|]|\/(?= ?\+)/, (text) => readPhone(text, region)),
    address: tidyText(found.address, LONGEST.address) ?? null,
    country: country ?? null,
    description: tidyText(found.description, LONGEST.description) ?? null,
    url: readUrl(found.url ?? '') ?? null,
    rawPayload: keptPayload(found.raw),
  };
}

/** From a domain, a host name or a web address of the company. */
function readDomain(text: string): string | undefined {
  const given = text.slice(0, LONGEST.url).trim();
  const address = parseWebAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`);
  // What has a user in it is an e-mail address, which may well be at somebody else's domain.
  return address && !address.authorization ? ownDomain(address.url.hostname) : undefined;
}

function readUrl(text: string): string | undefined {
  const href = parseWebAddress(storableText(text).trim())?.url.href;
  return href && href.length <= LONGEST.url ? href : undefined;
}

/** Many write several of them into one text. */
function listed(texts: string[] | undefined, between: RegExp, read: (text: string) => string | undefined): string[] {
  const parts = (texts ?? []).slice(0, MOST_READ).flatMap((text) => text.slice(0, LONGEST_LIST).split(between));
  const all = parts.slice(0, MOST_READ).flatMap((text) => read(text) ?? []);
  return [...new Set(all)].slice(0, MOST_CONTACTS);
}
