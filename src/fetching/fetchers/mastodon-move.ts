import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import type { FetcherTools } from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { failureOf, isHostsFault } from '../run/fetch-failure.js';
import { accountAt, lookupUrl } from './mastodon-account.js';

const Names = z.array(z.string()).catch([]);
/** The target of a move. Akkoma and others return its aliases here already. */
const Target = z.object({
  uri: z.string().nullish(),
  moved: z.object({}).nullish(),
  also_known_as: Names.optional(),
  pleroma: z.object({ also_known_as: Names.optional() }).nullish(),
});
const Actor = z.object({ alsoKnownAs: z.union([z.string().transform((one) => [one]), Names]).nullish() });
const ACTOR_HEADERS = { accept: 'application/activity+json' };
/** An unresponsive host must not delay the fetch of the account that names it. */
const TIMEOUTS = { total: 5_000 };

/**
 * Mastodon requires that the target lists the old account in `alsoKnownAs`. A target that has itself moved is refused,
 * because two accounts could otherwise send followers back and forth forever. Returns false if this is unknown now.
 */
export async function confirmsMove(
  { from, to }: { from: string; to: string },
  tools: FetcherTools,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await namesOf(to, tools, signal)).some((name) => standsFor(name, from));
  } catch (error) {
    if (signal.aborted || !(isHostsFault(error) || failureOf(error))) throw error;
    return false;
  }
}

async function namesOf(account: string, tools: FetcherTools, signal: AbortSignal): Promise<string[]> {
  const options = { signal, timeouts: TIMEOUTS };
  const response = await tools.http.get(lookupUrl(account, tools), options);
  const target = response.status === 200 ? readJsonIf(response, Target) : undefined;
  if (!target || target.moved) return [];
  const shown = target.also_known_as ?? target.pleroma?.also_known_as;
  const actor = webAddress(target.uri);
  if (shown || !actor) return shown ?? [];
  const answer = await tools.http.get(actor, { ...options, headers: ACTOR_HEADERS });
  return (answer.status === 200 && readJsonIf(answer, Actor)?.alsoKnownAs) || [];
}

function standsFor(name: string, account: string): boolean {
  if (name.replace(/^(?:acct:)?@?/, '').toLowerCase() === account) return true;
  return canParseUrl(name) && accountAt(new URL(name)) === account;
}
