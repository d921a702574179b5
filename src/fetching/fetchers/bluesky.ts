import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import { under } from '../../platform/http/under.js';
import {
  defineFetcher,
  type FetchCommand,
  type FetcherTools,
  FetchFailure,
  type FetchFailureCode,
} from '../fetcher.js';
import { actorAt, BlueskyActor } from './bluesky-actor.js';
import { profileUrl } from './bluesky-embed.js';
import { actorOf, FeedItem, isForEverybody, isInOrder, type Profile, toPost } from './bluesky-post.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { readJson, Text } from './read-json.js';
import { refusal, resetOf } from './refusal.js';

/** The most that the API gives. */
const MOST_POSTS = 100;
const ALLOWED = { everySeconds: 60 };

const AuthorFeed = z.object({ feed: z.array(FeedItem), cursor: Text.nullish() });

/** Posts and reposts of an account without its replies, from the public AppView. */
export const bluesky = defineFetcher({
  type: 'bluesky',
  name: 'Bluesky account',
  externalId: BlueskyActor,
  recognise: actorAt,
  address: (_externalId, { blueskyUrl }) => blueskyUrl,

  async fetch(command, tools) {
    const known = accountOf(command);
    const url = feedUrl(command, known, tools);
    const answer = await getIfChanged({ ...command, url }, tools);
    const { response, unchanged, notModified } = answer;
    const allows = feedAllowance(response.headers, ALLOWED, command.now);
    const validators = { ...answer.validators, memo: known.did };
    if (unchanged) return { unchanged, notModified, validators, allows };
    if (response.status !== 200) throw refused(response, command);
    const { feed, cursor } = await readJson(response, AuthorFeed);
    const actor = feed[0] && actorOf(feed[0]);
    if (actor && !isForEverybody(actor)) throw hidden(command);
    const did = known.did ?? (actor && isNamed(command, actor) ? actor.did : undefined);
    return {
      posts: feed.filter((item) => isInOrder(item) && isForEverybody(item.post.author)).map(toPost),
      nextCursor: cursor && cursor !== known.cursor ? joined(did, cursor) : undefined,
      source: actor && describe(actor),
      lastingId: actor && isRenamed(command, actor, known) ? did : undefined,
      validators: { ...validators, memo: did },
      allows,
    };
  },
});

interface KnownAccount {
  /** The id that the account keeps; undefined before it was seen. */
  did: string | undefined;
  cursor: string | undefined;
}

/**
 * A handle is a name that may belong to somebody else tomorrow. It is looked up once; from then on the account is asked for
 * by its DID, which the validators' memo and cursors keep.
 */
function accountOf({ externalId, cursor, validators }: FetchCommand): KnownAccount {
  const isDid = externalId.startsWith('did:');
  if (cursor === undefined) return { did: isDid ? externalId : validators.memo, cursor };
  const [, did, rest] = /^(did:\S+) (.*)$/s.exec(cursor) ?? [];
  return did ? { did, cursor: rest } : { did: isDid ? externalId : undefined, cursor };
}

const joined = (did: string | undefined, cursor: string) => (did ? `${did} ${cursor}` : cursor);

const isNamed = ({ externalId }: FetchCommand, { handle }: Profile) => handle.toLowerCase() === externalId;

/** The account goes by another handle than it is followed by. One whose handle cannot be verified just now keeps it. */
function isRenamed(command: FetchCommand, actor: Profile, { did, cursor }: KnownAccount): boolean {
  if (cursor !== undefined || command.externalId === did || actor.did !== did) return false;
  return actor.handle !== 'handle.invalid' && !isNamed(command, actor);
}

function feedUrl(
  { externalId, limit }: FetchCommand,
  { did = externalId, cursor }: KnownAccount,
  { config }: FetcherTools,
): URL {
  const url = under(config.blueskyUrl, 'xrpc/app.bsky.feed.getAuthorFeed');
  url.searchParams.set('actor', did);
  url.searchParams.set('limit', String(Math.min(Math.max(limit, 1), MOST_POSTS)));
  url.searchParams.set('filter', 'posts_no_replies');
  if (cursor !== undefined) url.searchParams.set('cursor', cursor);
  return url;
}

function describe(actor: Profile) {
  return { title: actor.displayName?.trim() || `@${actor.handle}`, siteUrl: profileUrl(actor) };
}

function hidden({ externalId }: FetchCommand): FetchFailure {
  return new FetchFailure('PRIVATE_PROFILE', `${externalId} asks to be shown to people signed in to Bluesky only`);
}

const Complaint = z.object({ error: Text, message: Text.optional().catch(undefined) });

/** Takedowns and deactivations can be undone: the account is not gone. */
const MEANINGS: Record<string, FetchFailureCode> = {
  AccountTakedown: 'PRIVATE_PROFILE',
  AccountDeactivated: 'PRIVATE_PROFILE',
  BlockedActor: 'PRIVATE_PROFILE',
  BlockedByActor: 'PRIVATE_PROFILE',
  InvalidRequest: 'INVALID_COMMAND',
};

function refused(response: HttpResponse, { now }: FetchCommand): FetchFailure {
  const { error = '', message = error } = readJsonIf(response, Complaint) ?? {};
  const missing = /profile not found|unable to resolve handle|could not find/i.test(message);
  const code = response.status === 400 ? (missing ? 'NOT_FOUND' : MEANINGS[error]) : undefined;
  const reset = new Date(Number(response.headers['ratelimit-reset'] || Number.NaN) * 1000);
  return refusal(response, { code, words: message, reset: resetOf(reset, now) });
}
