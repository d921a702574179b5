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

const AuthorFeed = z.object({ feed: z.array(FeedItem), cursor: Text.optional() });

/** Posts and reposts of an account without its replies, from the public AppView. */
export const bluesky = defineFetcher({
  type: 'bluesky',
  name: 'Bluesky account',
  externalId: BlueskyActor,
  recognise: actorAt,
  address: (_externalId, { blueskyUrl }) => blueskyUrl,

  async fetch(command, tools) {
    const url = feedUrl(command, tools);
    const { response, unchanged, notModified, validators } = await getIfChanged({ ...command, url }, tools);
    const allows = feedAllowance(response.headers, ALLOWED, command.now);
    if (unchanged) return { unchanged, notModified, validators, allows };
    if (response.status !== 200) throw refused(response, command);
    const { feed, cursor } = readJson(response, AuthorFeed);
    const actor = feed[0] && actorOf(feed[0]);
    if (actor && !isForEverybody(actor)) throw hidden(command);
    return {
      posts: feed.filter((item) => isInOrder(item) && isForEverybody(item.post.author)).map(toPost),
      nextCursor: cursor && cursor !== command.cursor ? cursor : undefined,
      source: actor && describe(actor),
      validators,
      allows,
    };
  },
});

function feedUrl({ externalId, cursor, limit }: FetchCommand, { config }: FetcherTools): URL {
  const url = under(config.blueskyUrl, 'xrpc/app.bsky.feed.getAuthorFeed');
  url.searchParams.set('actor', externalId);
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

const Complaint = z.object({ error: Text, message: Text.optional() });

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
