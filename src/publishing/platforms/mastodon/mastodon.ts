import { z } from 'zod';
import {
  type Content,
  type ContentProblem,
  definePlatform,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../../platform.js';
import { announcedLimit } from '../announced-limit.js';
import { readAnswer, sendOnce } from '../call-platform.js';
import { wordsWithLink } from '../post-words.js';
import {
  askMastodon,
  at,
  bearer,
  type MastodonCredentials as Credentials,
  Id,
  MastodonCredentials,
  PLACE,
  refusal,
} from './mastodon-api.js';
import { mastodonLength, withShortMentions } from './mastodon-length.js';
import { type Progress, uploadMedia } from './mastodon-media.js';

/** Our clock and the instance's may differ by this much (ms). */
const CLOCK_MARGIN_MS = 5 * 60_000;

/** A post with different text may be ours only if it is this close (ms) to the calls. */
const CLOSE_MS = 60_000;

const PAGE = 40;

/** This covers more posts than Mastodon accepts from an account in 10 hours. */
const MAX_PAGES = 25;

const Status = z.object({ id: Id, url: z.string().nullish().catch(undefined) });

/** Compatible servers omit many of Mastodon's fields, so only the id is required. */
const ListedStatus = Status.extend({
  /** The value is NaN if the time is unreadable. */
  created_at: z.string().catch('').transform(Date.parse),
  content: z.string().nullish().catch(undefined),
  reblog: z.unknown().optional(),
  in_reply_to_id: z.unknown().optional(),
  media_attachments: z.array(z.unknown()).nullish().catch(undefined),
});

const Name = z.string().min(1).nullish().catch(undefined);

const Account = z.object({ id: Id, username: Name, acct: Name });

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

const MAX_TEXT_LENGTH = 500;
const MAX_FILES = 4;

export const mastodon = definePlatform<Credentials, Progress>({
  name: 'mastodon',
  label: PLACE,
  credentials: MastodonCredentials,
  // There is no limit here, because instances limit each account and announce it with every answer.
  workers: 3,
  accepts: {
    text: { most: MAX_TEXT_LENGTH, unit: 'characters' },
    media: { least: 0, most: MAX_FILES, kinds: ['image', 'video', 'audio'] },
  },
  check,

  async whose(credentials, tools) {
    const path = 'api/v1/accounts/verify_credentials';
    const { id, username, acct } = await askMastodon({ path, credentials, answer: Account }, tools);
    return { id, name: `@${username ?? acct ?? id}@${new URL(credentials.baseUrl).host}` };
  },

  prepare: uploadMedia,

  async publish({ content, credentials, key, progress }, tools) {
    const body = {
      status: wordsWithLink(content).trim().toWellFormed(),
      media_ids: (progress?.media ?? []).map(({ id }) => id),
    };
    const headers = { ...bearer(credentials), 'content-type': 'application/json', 'idempotency-key': key };
    const call = { headers, body: JSON.stringify(body) };
    const response = await sendOnce(at(credentials, 'api/v1/statuses'), call, tools);
    const now = tools.now();
    if (response.status !== 200) throw refusal(response, { credentials, effect: 'shows', now });
    const published = toPublished(await readAnswer(response, Status, { place: PLACE, effect: 'shows' }));
    const announced = announcedLimit(
      response.headers['x-ratelimit-remaining'],
      response.headers['x-ratelimit-reset'],
      now,
    );
    return announced ? { ...published, announced } : published;
  },

  // Mastodon keeps keys "for up to 1 hour" after the first call. The last minutes are left for a slow repeat.
  knowsKeysForMs: 50 * 60_000,
  findsWithoutProgress: true,
  find: findStatus,
});

function check(content: Content, { maxCharacters = MAX_TEXT_LENGTH }: Credentials): ContentProblem[] {
  const { text, link, mediaUrls } = content;
  const problems: ContentProblem[] = [];
  const words = wordsWithLink(content);
  const length = mastodonLength(words);
  if (!words.trim() && !mediaUrls.length) {
    problems.push({ path: 'text', message: `${PLACE} takes no post without a text, a link or a file` });
  }
  if (length > maxCharacters) {
    const what = link === undefined || words === text ? 'text is' : 'text and link are';
    const message = `${what} ${length} characters, ${length - maxCharacters} more than ${PLACE} takes`;
    problems.push({ path: 'text', message });
  }
  if (mediaUrls.length > MAX_FILES) {
    const message = `${mediaUrls.length} files are ${mediaUrls.length - MAX_FILES} more than ${PLACE} takes`;
    problems.push({ path: 'mediaUrls', message });
  }
  return problems;
}

type ListedStatus = z.infer<typeof ListedStatus>;

const toPublished = ({ id, url }: z.infer<typeof Status>): Published => ({ postId: id, url: url ?? undefined });

/**
 * A status cannot carry our key invisibly, so it is recognised by its text, number of files and time. Among equal
 * posts, the first one since the intent is chosen, and one from just before only if there is no other. Compatible
 * servers may show the text differently, so an unexplained post from the time of the calls is left to a person.
 */
async function findStatus(
  command: PublishCommand<MastodonCredentials, Progress>,
  tools: PlatformTools,
): Promise<Published | undefined> {
  const { content, credentials, intendedAt, others } = command;
  if (!intendedAt) return undefined;
  const listed = await statusesSince(intendedAt.getTime() - CLOCK_MARGIN_MS, credentials, tools);
  const strangers = listed.filter(({ id, reblog }) => !reblog && !others?.has(id));
  const alike = strangers.filter((status) => shows(status, content)).toSorted((a, b) => a.created_at - b.created_at);
  const found = alike.find((status) => status.created_at >= intendedAt.getTime()) ?? alike.at(-1);
  if (found) return toPublished(found);
  const doubtful = strangers.find((status) => mayBe(status, command, intendedAt));
  if (!doubtful) return undefined;
  const why = `the account shows ${doubtful.id} from the time of the call, in other words`;
  throw new PublishFailure('UNCERTAIN', `${why}: whether that is this post is not known`);
}

function shows({ content: html, media_attachments: files }: ListedStatus, content: Content): boolean {
  const isSaid = plain(textOf(html ?? '')) === plain(wordsWithLink(content));
  return isSaid && (files ?? []).length === content.mediaUrls.length;
}

/** Our posts are never replies, and their number of files does not change. */
function mayBe(
  status: ListedStatus,
  { content, pending = [], calledUntil }: PublishCommand<MastodonCredentials, Progress>,
  intendedAt: Date,
): boolean {
  const { in_reply_to_id: answers, media_attachments: files } = status;
  if (answers || (files && files.length !== content.mediaUrls.length)) return false;
  const isBefore = status.created_at < intendedAt.getTime() - CLOSE_MS;
  const isAfter = calledUntil !== undefined && status.created_at > calledUntil.getTime() + CLOSE_MS;
  return !isBefore && !isAfter && !pending.some((other) => shows(status, other));
}

async function statusesSince(since: number, credentials: MastodonCredentials, tools: PlatformTools) {
  const answer = Account;
  const account = await askMastodon({ path: 'api/v1/accounts/verify_credentials', credentials, answer }, tools);
  const path = `api/v1/accounts/${encodeURIComponent(account.id)}/statuses?limit=${PAGE}&exclude_reblogs=true`;
  const found: ListedStatus[] = [];
  let maxId = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const older = maxId && `&max_id=${encodeURIComponent(maxId)}`;
    const statuses = await askMastodon({ path: path + older, credentials, answer: z.array(ListedStatus) }, tools);
    const last = statuses.at(-1);
    // A status with an unreadable time may be from any time, so it is included.
    found.push(...statuses.filter((status) => !(status.created_at < since)));
    if (!last || last.id === maxId || last.created_at < since) return found;
    maxId = last.id;
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more posts since then than can be looked through`);
}

/** Mastodon generates the HTML itself and escapes all special characters of the text. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}

/** Whitespace is ignored, because instances render it differently. */
const plain = (text: string) => withShortMentions(text.toWellFormed().normalize('NFC')).replace(/\s+/gu, '');
