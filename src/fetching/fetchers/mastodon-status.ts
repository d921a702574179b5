import { z } from 'zod';
import { storableText } from '../../platform/jobs/storable.js';
import type { Author, FoundPost, Media } from '../../posts/post.js';
import { webAddress } from '../parsing/addresses.js';
import { escapeHtml } from '../parsing/text/escape-html.js';
import { Count, Moment, OptionalText, Text } from './read-json.js';

/** Digits or letters, depending on the software of the instance. */
const MastodonId = z.string().regex(/^[\w-]{1,100}$/, 'no id');

export const Account = z
  .object({
    id: MastodonId,
    username: z.string().min(1),
    /** `user` for local accounts, `user@host` for others. */
    acct: Text.nullish().catch(undefined),
    display_name: Text.nullish().catch(undefined),
    url: OptionalText,
    avatar: OptionalText,
    moved: z.object({ acct: Text }).nullish().catch(undefined),
    uri: OptionalText,
  })
  .transform(({ acct, ...account }) => ({ ...account, acct: acct || storableText(account.username) }));
export type Account = z.infer<typeof Account>;

const Attachment = z.object({
  type: z.string().catch(''),
  url: OptionalText,
  remote_url: OptionalText,
  description: OptionalText,
});
type Attachment = z.infer<typeof Attachment>;

const StatusContent = z.object({
  id: MastodonId,
  created_at: Moment,
  account: Account,
  content: z.string(),
  spoiler_text: OptionalText,
  /** Software without this field shows only public statuses to unauthenticated clients such as us. */
  visibility: z.string().catch('public'),
  url: OptionalText,
  media_attachments: z.array(Attachment).nullish().catch(undefined),
  poll: z
    .object({ options: z.array(z.object({ title: z.string() })) })
    .nullish()
    .catch(undefined),
  favourites_count: Count,
  replies_count: Count,
  reblogs_count: Count,
});
type StatusContent = z.infer<typeof StatusContent>;

export const Status = StatusContent.extend({ reblog: StatusContent.nullish() });
export type Status = z.infer<typeof Status>;

/** `unlisted` statuses are hidden from public timelines but not from profiles. */
export function isPublic({ visibility, reblog }: Status): boolean {
  const open = ['public', 'unlisted'];
  return open.includes(visibility) && (!reblog || open.includes(reblog.visibility));
}

/** A boost keeps its own id and time, because boosting is what the followed account did at that time. */
export function toPost(status: Status, host: string): FoundPost {
  const shown = status.reblog ?? status;
  return {
    externalId: status.id,
    url: webAddress(shown.url),
    title: titleOf(status, host),
    content: contentOf(shown),
    author: authorOf(shown.account, host),
    media: (shown.media_attachments ?? []).flatMap(toMedia),
    metrics: { likes: shown.favourites_count, comments: shown.replies_count, shares: shown.reblogs_count },
    publishedAt: status.created_at,
  };
}

export function fullName({ acct }: Pick<Account, 'acct'>, host: string): string {
  return acct.includes('@') ? acct : `${acct}@${host}`;
}

function authorOf(account: Account, host: string): Author {
  return {
    username: fullName(account, host),
    displayName: account.display_name?.trim() || account.username,
    avatarUrl: webAddress(account.avatar),
  };
}

function titleOf({ reblog, spoiler_text }: Status, host: string): string | undefined {
  const warning = (reblog ?? { spoiler_text }).spoiler_text?.trim() || undefined;
  if (!reblog) return warning;
  const boosted = `Boosted @${fullName(reblog.account, host)}`;
  return warning ? `${boosted}: ${warning}` : boosted;
}

/** Vote counts are left out, because every fetch would then find a change. */
function contentOf({ content, poll, spoiler_text }: StatusContent): string {
  const options = poll?.options.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('');
  const body = options ? `${content}<ul>${options}</ul>` : content;
  const warning = spoiler_text?.trim();
  return warning ? `<details><summary>${escapeHtml(warning)}</summary>${body}</details>` : body;
}

/** Instances convert uploads into these formats, whatever the file extension. */
const TYPES: Record<string, string> = { gifv: 'video/mp4', video: 'video/mp4', audio: 'audio/mpeg' };
const IMAGE_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

function toMedia({ type, url, remote_url, description }: Attachment): Media[] {
  const address = webAddress(url) ?? webAddress(remote_url);
  if (!address) return [];
  const ending = /\.(\w+)$/.exec(new URL(address).pathname)?.[1]?.toLowerCase() ?? '';
  const mime = type === 'image' ? IMAGE_TYPES[ending] : TYPES[type];
  return [{ url: address, type: mime, alt: description?.trim() || undefined }];
}
