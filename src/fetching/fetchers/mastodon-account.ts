import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { hostOf } from '../../platform/hosts/host-of.js';
import { joinUrl } from '../../platform/http/web-address.js';
import type { FetcherTools } from '../fetcher.js';

/** The account is `user@instance.host`, with the port of the instance if it is not 443. */
export const MastodonAccount = z
  .string()
  .trim()
  .transform((text) => parseAccount(text) ?? '')
  .refine(Boolean, 'an account such as user@instance.example');

const ACCOUNT = /^@?(\w(?:[\w.-]{0,98}\w)?)@([^/?#@\\\s]{1,253})$/;
const PROFILE = /^\/(?:web\/)?(?:@|users\/)(\w(?:[\w.-]{0,98}\w)?)(?:@([^/@]{1,253}))?(?:\/|$)/;

/** Sites other than Mastodon that use `/@name`. Other hosts are asked whether they are an instance. */
const OTHER_SITES = new Set([
  'bsky.app',
  'medium.com',
  'odysee.com',
  'rumble.com',
  'substack.com',
  'threads.com',
  'threads.net',
  'tiktok.com',
  'youtube.com',
]);

export function accountAt(url: URL): string | undefined {
  if (OTHER_SITES.has(hostOf(url))) return undefined;
  const [, user, host = url.host] = PROFILE.exec(url.pathname) ?? [];
  return user && parseAccount(`${user}@${host}`);
}

export function partsOf(account: string): { user: string; host: string } {
  const [user = '', host = ''] = account.split('@');
  return { user, host };
}

export function lookupUrl(account: string, tools: FetcherTools): string {
  const url = apiUrl('accounts/lookup', account, tools);
  // An instance may serve accounts of another domain and knows them by the user name alone.
  url.searchParams.set('acct', tools.config.mastodonUrl ? account : partsOf(account).user);
  return url.href;
}

export function apiUrl(path: string, account: string, { config }: FetcherTools): URL {
  return joinUrl(config.mastodonUrl ?? `https://${partsOf(account).host}/`, `api/v1/${path}`);
}

function parseAccount(text: string): string | undefined {
  const [, user, host] = ACCOUNT.exec(text) ?? [];
  if (!user || !host || !canParseUrl(`https://${host}`)) return undefined;
  return `${user.toLowerCase()}@${new URL(`https://${host}`).host.replace(/\.(?=:|$)/, '')}`;
}
