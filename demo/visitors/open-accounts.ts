import { type DemoPlatforms, FACEBOOK, LINKEDIN, MASTODON, WEBHOOK_SECRET } from '../platforms/demo-platforms.js';
import type { AccountName } from './post-plan.js';
import { Made, type Visitor } from './visitor.js';

export type AccountIds = Record<AccountName | 'lapsed', string>;

/** The admin's accounts on the platforms of the demo. */
export async function openAccounts(admin: Visitor, { mastodon, webhook }: DemoPlatforms): Promise<AccountIds> {
  const open = async (platform: string, name: string, credentials: object) =>
    (await admin.post('accounts', { platform, name, credentials }, Made)).id;
  const onMastodon = (name: string, accessToken: string) =>
    open('mastodon', name, { baseUrl: mastodon.url, accessToken });
  const ids = {
    page: await open('facebook', 'Mill Bakery', FACEBOOK),
    company: await open('linkedin', 'Kestrel Orbit', LINKEDIN),
    ferries: await onMastodon('Ellery Ferries', MASTODON.ferries),
    museum: await onMastodon('Railway Museum', MASTODON.museum),
    newsletter: await open('webhook', 'Gazette newsletter', { url: webhook.url, secret: WEBHOOK_SECRET }),
    lapsed: await onMastodon('Rowing Club', MASTODON.lapsed),
  };
  // The platform has revoked this token since.
  mastodon.tokens.delete(MASTODON.lapsed);
  return ids;
}
