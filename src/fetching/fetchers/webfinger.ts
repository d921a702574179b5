import { z } from 'zod';
import type { RequestOptions } from '../../platform/http/http-client.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import type { FetcherTools } from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { MastodonAccount, partsOf } from './mastodon-account.js';
import { OptionalText } from './read-json.js';

const WebFingerDocument = z.object({
  links: z.array(z.object({ rel: z.string().catch(''), type: OptionalText, href: OptionalText })),
});
const ACTOR = /^application\/(?:activity|ld)\+json\b/;

/** `user@example.org` may be served by `social.example.org`. Undefined: WebFinger names no other host. */
export async function servedAs(
  account: string,
  { http, config }: FetcherTools,
  options: RequestOptions,
): Promise<string | undefined> {
  if (config.mastodonUrl) return undefined;
  const { user, host } = partsOf(account);
  const url = new URL(`https://${host}/.well-known/webfinger`);
  url.searchParams.set('resource', `acct:${account}`);
  const response = await http.get(url.href, options);
  const links = response.status === 200 ? (readJsonIf(response, WebFingerDocument)?.links ?? []) : [];
  const actor = webAddress(links.find(({ rel, type }) => rel === 'self' && ACTOR.test(type ?? ''))?.href);
  const served = actor && MastodonAccount.safeParse(`${user}@${new URL(actor).host}`).data;
  return served === account ? undefined : served;
}
