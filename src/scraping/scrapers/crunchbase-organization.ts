import { z } from 'zod';
import type { FoundLead } from '../leads/lead.js';
import { ownDomain } from '../leads/shared-platforms.js';

/** What of an organisation is asked for. */
export const FIELDS = [
  'identifier',
  'short_description',
  'website_url',
  'location_identifiers',
  'categories',
  'category_groups',
  'contact_email',
  'phone_number',
  'founded_on',
  'num_employees_enum',
];

const Text = z.string().trim().nullish().catch(undefined);

export const Organization = z.object({
  uuid: z.string(),
  properties: z.object({
    identifier: z.object({ value: Text, permalink: Text }).nullish().catch(undefined),
    short_description: Text,
    website_url: Text,
    location_identifiers: z
      .array(z.object({ value: Text, location_type: Text }))
      .nullish()
      .catch(undefined),
    contact_email: Text,
    phone_number: Text,
  }),
});
export type Organization = z.infer<typeof Organization>;

/** From the street to the country; what lies further out does not belong into an address. */
const ADDRESS = ['city', 'region', 'country'];

export function toLead({ properties }: Organization, raw: unknown): FoundLead | undefined {
  const { identifier, website_url, contact_email, phone_number, location_identifiers } = properties;
  const name = identifier?.value;
  if (!name) return undefined;
  const located = ADDRESS.map(
    (type) => location_identifiers?.find(({ location_type }) => location_type === type)?.value,
  );
  return {
    name,
    domain: website_url ? ownDomain(website_url) : undefined,
    emails: contact_email ? [contact_email] : [],
    phones: phone_number ? [phone_number] : [],
    address: located.filter(Boolean).join(', ') || undefined,
    country: located.at(-1) ?? undefined,
    description: properties.short_description || undefined,
    url: identifier.permalink
      ? `https://www.crunchbase.com/organization/${encodeURIComponent(identifier.permalink)}`
      : undefined,
    raw,
  };
}
