import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import { joinUrl } from '../../platform/http/web-address.js';
import type { Author, FoundPost } from '../../posts/post.js';
import {
  defineFetcher,
  type FetchCommand,
  type FetcherTools,
  FetchFailure,
  type FetchFailureCode,
} from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { actorAt, BlueskyActor } from './bluesky-actor.js';
import { attachedBy, postUrl, profileUrl } from './bluesky-embed.js';
import { Facet, richText } from './bluesky-text.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { Count, Moment, OptionalText, readJson, Text } from './read-json.js';
import { refusal, resetOf } from './refusal.js';

const Labels = z.array(z.object({ val: z.string().catch('') })).nullish();

const Profile = z.object({
  did: z.string().startsWith('did:'),
  handle: Text,
  displayName: Text.nullish().catch(undefined),
  avatar: OptionalText,
  labels: Labels,
});

/** Written by the author without validation, so any field may be invalid. */
const PostRecord = z.object({
  text: z.string().catch(''),
  createdAt: Moment.catch(undefined),
  facets: z.array(Facet).nullish().catch(undefined),
});

const Post = z.object({
  uri: z.string().startsWith('at://'),
  author: Profile,
  record: PostRecord,
  embed: z.unknown().optional(),
  indexedAt: Moment,
  likeCount: Count,
  replyCount: Count,
  repostCount: Count,
});

const Reason = z.looseObject({
  $type: z.string(),
  by: Profile.nullish(),
  uri: z.string().min(1).nullish().catch(undefined),
  indexedAt: Moment,
});

const FeedItem = z.object({ post: Post, reason: Reason.nullish() });

const REPOST = 'app.bsky.feed.defs#reasonRepost';

const MAX_POSTS = 100;
const ALLOWED = { everySeconds: 60 };

const AuthorFeed = z.object({ feed: z.array(FeedItem), cursor: Text.nullish() });

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
  did: string | undefined;
  cursor: string | undefined;
}

/** A handle may belong to another account tomorrow, so it is resolved once and the DID is kept in memo and cursors. */
function accountOf({ externalId, cursor, validators }: FetchCommand): KnownAccount {
  const isDid = externalId.startsWith('did:');
  if (cursor === undefined) return { did: isDid ? externalId : validators.memo, cursor };
  const [, did, rest] = /^(did:\S+) (.*)$/s.exec(cursor) ?? [];
  return did ? { did, cursor: rest } : { did: isDid ? externalId : undefined, cursor };
}

const joined = (did: string | undefined, cursor: string) => (did ? `${did} ${cursor}` : cursor);

const isNamed = ({ externalId }: FetchCommand, { handle }: Profile) => handle.toLowerCase() === externalId;

/** A handle that cannot be verified at the moment does not count as renamed. */
function isRenamed(command: FetchCommand, actor: Profile, { did, cursor }: KnownAccount): boolean {
  if (cursor !== undefined || command.externalId === did || actor.did !== did) return false;
  return actor.handle !== 'handle.invalid' && !isNamed(command, actor);
}

function feedUrl(
  { externalId, limit }: FetchCommand,
  { did = externalId, cursor }: KnownAccount,
  { config }: FetcherTools,
): URL {
  const url = joinUrl(config.blueskyUrl, 'xrpc/app.bsky.feed.getAuthorFeed');
  url.searchParams.set('actor', did);
  url.searchParams.set('limit', String(Math.min(Math.max(limit, 1), MAX_POSTS)));
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

/** Takedowns and deactivations can be reverted, so they do not count as gone. */
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

type Profile = z.infer<typeof Profile>;
type FeedItem = z.infer<typeof FeedItem>;

function actorOf({ post, reason }: FeedItem): Profile {
  return (reason?.$type === REPOST && reason.by) || post.author;
}

/** Excludes pinned posts, which appear above newer ones. */
function isInOrder({ reason }: FeedItem): boolean {
  return !reason || reason.$type === REPOST;
}

/** Authors may request that only signed-in users see their posts. */
function isForEverybody({ labels }: Profile): boolean {
  return !labels?.some(({ val }) => val === '!no-unauthenticated');
}

function toPost(item: FeedItem): FoundPost {
  const { post } = item;
  const attached = attachedBy(post.embed);
  return {
    ...identityOf(item),
    url: postUrl(post.uri, post.author),
    content: richText(post.record.text, post.record.facets ?? []) + attached.html,
    author: authorOf(post.author),
    media: attached.media,
    metrics: { likes: post.likeCount, comments: post.replyCount, shares: post.repostCount },
  };
}

function identityOf({ post, reason }: FeedItem): Pick<FoundPost, 'externalId' | 'title' | 'publishedAt'> {
  if (reason?.$type !== REPOST) return { externalId: post.uri, publishedAt: writtenAt(post) };
  return {
    // Older servers do not return the URI of the repost.
    externalId: reason.uri ?? `${post.uri}#repost-${reason.by?.did}`,
    title: `Reposted @${post.author.handle}`,
    publishedAt: reason.indexedAt ?? writtenAt(post),
  };
}

/** Authors may set any time. A time later than the indexing of the post is not used. */
function writtenAt({ record: { createdAt }, indexedAt }: FeedItem['post']): Date | undefined {
  return createdAt && indexedAt && createdAt > indexedAt ? indexedAt : (createdAt ?? indexedAt);
}

function authorOf({ handle, displayName, avatar }: Profile): Author {
  return { username: handle, displayName: displayName?.trim() || handle, avatarUrl: webAddress(avatar) };
}
