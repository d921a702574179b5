import { createHash } from 'node:crypto';
import { addressIdentity, nameIdentity } from './company-identity.js';
import type { Lead } from './lead.js';

/** Of what makes a lead this company and no other: two sources that show one company have the same. */
export function leadHash(lead: Lead): string {
  return createHash('sha256')
    .update(JSON.stringify(identity(lead)))
    .digest('hex');
}

/** The domain, which is the company's own; else its name and what tells it from others of that name. */
function identity({ domain, name, phones, emails, address, country }: Lead): (string | null)[] {
  if (domain) return ['domain', domain];
  const company = nameIdentity(name);
  const phone = smallest(phones.filter((number) => number.startsWith('+')));
  if (phone) return ['phone', company, phone];
  const email = smallest(emails);
  if (email) return ['email', company, email];
  return ['address', company, country, address && addressIdentity(address)];
}

/** Sources list them in different orders. */
const smallest = (texts: string[]): string | undefined => texts.toSorted()[0];
