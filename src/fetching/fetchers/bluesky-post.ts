import { z } from 'zod';
import type { Author, FoundPost } from '../../posts/post.js';
import { webAddress } from '../parsing/addresses.js';
import { attachedBy, postUrl } from './bluesky-embed.js';
import { Facet, richText } from './bluesky-text.js';
import { Count, Moment, OptionalText, Text } from './read-json.js';

const Labels = z.array(z.object({ val: z.string().catch('') })).nullish();

const Profile = z.object({
  did: z.string().startsWith('did:'),
  handle: Text,
  displayName: Text.nullish().catch(undefined),
  avatar: OptionalText,
  labels: Labels,
});
export type Profile = z.infer<typeof Profile>;

/** What the author wrote. Anybody may write anything there. */
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

export const FeedItem = z.object({ post: Post, reason: Reason.nullish() });
export type FeedItem = z.infer<typeof FeedItem>;

const REPOST = 'app.bsky.feed.defs#reasonRepost';

/** Whose doing it is that this stands in the feed: the reposter's, or the author's. */
export function actorOf({ post, reason }: FeedItem): Profile {
  return (reason?.$type === REPOST && reason.by) || post.author;
}

/** In its place: a pinned post stands above newer ones, and is asked for by nobody here. */
export function isInOrder({ reason }: FeedItem): boolean {
  return !reason || reason.$type === REPOST;
}

/** Authors may ask to be shown to signed-in people only. */
export function isForEverybody({ labels }: Profile): boolean {
  return !labels?.some(({ val }) => val === '!no-unauthenticated');
}

/** A repost is shown as what was reposted, as a boost on Mastodon is, with an id and a time of its own. */
export function toPost(item: FeedItem): FoundPost {
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
    // Older servers do not name the repost itself.
    externalId: reason.uri ?? `${post.uri}#repost-${reason.by?.did}`,
    title: `Reposted @${post.author.handle}`,
    publishedAt: reason.indexedAt ?? writtenAt(post),
  };
}

/** Authors may claim any time; what is later than when it was first seen is not true. */
function writtenAt({ record: { createdAt }, indexedAt }: FeedItem['post']): Date | undefined {
  return createdAt && indexedAt && createdAt > indexedAt ? indexedAt : (createdAt ?? indexedAt);
}

function authorOf({ handle, displayName, avatar }: Profile): Author {
  return { username: handle, displayName: displayName?.trim() || handle, avatarUrl: webAddress(avatar) };
}
