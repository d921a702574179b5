import { type Content, type ContentProblem, definePlatform } from '../../platform.js';
import { readAnswer, sendOnce } from '../call-platform.js';
import { wordsWithLink } from '../post-words.js';
import { toldLimit } from '../told-limit.js';
import {
  askMastodon,
  at,
  bearer,
  type MastodonCredentials as Credentials,
  MastodonCredentials,
  PLACE,
  refusal,
} from './mastodon-api.js';
import { mastodonLength } from './mastodon-length.js';
import { Account, findStatus, Status, toPublished } from './mastodon-look-back.js';
import { type Progress, uploadMedia } from './mastodon-media.js';

const LONGEST_TEXT = 500;
const MOST_FILES = 4;

/** Statuses of an account on an instance of Mastodon, or of other software that speaks its API. */
export const mastodon = definePlatform<Credentials, Progress>({
  name: 'mastodon',
  label: PLACE,
  credentials: MastodonCredentials,
  // An instance limits each account by itself and tells it with every answer.
  workers: 3,
  accepts: {
    text: { most: LONGEST_TEXT, unit: 'characters' },
    media: { least: 0, most: MOST_FILES, kinds: ['image', 'video', 'audio'] },
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
    const told = toldLimit(response.headers['x-ratelimit-remaining'], response.headers['x-ratelimit-reset'], now);
    return told ? { ...published, told } : published;
  },

  // It keeps keys "for up to 1 hour" since it took the first call; the last minutes are for a repeat that is slow.
  knowsKeysForMs: 50 * 60_000,
  findsWithoutProgress: true,
  find: findStatus,
});

function check(content: Content, { maxCharacters = LONGEST_TEXT }: Credentials): ContentProblem[] {
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
  if (mediaUrls.length > MOST_FILES) {
    const message = `${mediaUrls.length} files are ${mediaUrls.length - MOST_FILES} more than ${PLACE} takes`;
    problems.push({ path: 'mediaUrls', message });
  }
  return problems;
}
