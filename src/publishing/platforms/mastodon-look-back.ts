import { z } from 'zod';
import { type PlatformTools, type PublishCommand, type Published, PublishFailure } from '../platform.js';
import { askMastodon, type MastodonCredentials, PLACE } from './mastodon-api.js';
import { withShortMentions } from './mastodon-length.js';
import type { Progress } from './mastodon-media.js';
import { wordsWithLink } from './post-words.js';

/** By which our clock and the instance's may differ. */
const CLOCK_MARGIN_MS = 5 * 60_000;
const PAGE = 40;
/** More than Mastodon takes from an account in 10 hours. */
const MOST_PAGES = 25;

export const Status = z.object({
  id: z.string().min(1),
  url: z.string().nullish().catch(undefined),
});

const ListedStatus = Status.extend({
  created_at: z.iso.datetime({ offset: true }),
  content: z.string().nullish(),
  reblog: z.unknown(),
  media_attachments: z.array(z.unknown()).nullish(),
});
type ListedStatus = z.infer<typeof ListedStatus>;

export const Account = z.object({ id: z.string().min(1), username: z.string(), acct: z.string().nullish() });

export const toPublished = ({ id, url }: z.infer<typeof Status>): Published => ({ postId: id, url: url ?? undefined });

/**
 * Nothing in a status can carry our key unseen. The post is known by its words, its number of files and its time: not
 * before the call was decided, save for the clocks. Of several alike it is the first since then, and one from just before
 * only if there is no other.
 */
export async function findStatus(
  { content, credentials, intendedAt, others }: PublishCommand<MastodonCredentials, Progress>,
  tools: PlatformTools,
): Promise<Published | undefined> {
  if (!intendedAt) return undefined;
  const since = intendedAt.getTime() - CLOCK_MARGIN_MS;
  const words = plain(wordsWithLink(content));
  const isAlike = (status: ListedStatus) =>
    !status.reblog &&
    !others?.has(status.id) &&
    plain(textOf(status.content ?? '')) === words &&
    (status.media_attachments ?? []).length === content.mediaUrls.length;
  const alike = (await statusesSince(since, credentials, tools))
    .filter(isAlike)
    .toSorted((a, b) => timeOf(a) - timeOf(b));
  const found = alike.find((status) => timeOf(status) >= intendedAt.getTime()) ?? alike.at(-1);
  return found && toPublished(found);
}

const timeOf = ({ created_at }: ListedStatus) => Date.parse(created_at);

/** Newest first, page by page. */
async function statusesSince(since: number, credentials: MastodonCredentials, tools: PlatformTools) {
  const answer = Account;
  const account = await askMastodon({ path: 'api/v1/accounts/verify_credentials', credentials, answer }, tools);
  const path = `api/v1/accounts/${encodeURIComponent(account.id)}/statuses?limit=${PAGE}&exclude_reblogs=true`;
  const found: ListedStatus[] = [];
  let maxId = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const older = maxId && `&max_id=${encodeURIComponent(maxId)}`;
    const statuses = await askMastodon({ path: path + older, credentials, answer: z.array(ListedStatus) }, tools);
    const last = statuses.at(-1);
    found.push(...statuses.filter((status) => timeOf(status) >= since));
    if (!last || last.id === maxId || timeOf(last) < since) return found;
    maxId = last.id;
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more posts since then than can be looked through`);
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Mastodon writes its HTML itself, with every sign of the text that could be mistaken for HTML escaped. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}

/** Spaces and line ends are shown as the instance likes. */
const plain = (text: string) => withShortMentions(text.toWellFormed().normalize('NFC')).replace(/\s+/gu, '');
