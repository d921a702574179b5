import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { withCredentialsOf } from '../../platform/http/web-address.js';
import type { Allowance, Validators } from '../../sources/fetch-states.table.js';
import {
  defineFetcher,
  type FeedDocument,
  type FetchCommand,
  type FetchedPage,
  type Fetcher,
  type FetcherTools,
  FetchFailure,
  type FetchFailureCode,
  type ParsedFeed,
} from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { type NewItems, readNewItems } from '../parsing/split/read-new-items.js';
import { announcedHubs } from '../websub/announced-hubs.js';
import { FeedAddress } from './feed-address.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { refusal } from './refusal.js';

/** The feed's own limits are stored, because they still apply when the feed has not changed and is not parsed. */
const FeedLimits = z.object({
  everySeconds: z.number().optional(),
  skipHours: z.array(z.number()).optional(),
  skipDays: z.array(z.number()).optional(),
});

const Memo = FeedLimits.extend({
  /** Time of the last complete read, if digests of the items are stored since then. */
  readAt: z.number().optional(),
  readFrom: z.string().optional(),
  idsDepend: z.literal(true).optional(),
});
type Memo = z.infer<typeof Memo>;

/** The whole feed is parsed at least this often (ms), so that changed parsing rules take effect. */
const DIGESTS_HOLD_MS = 86_400_000;

const MEANINGS: Record<number, FetchFailureCode> = {
  401: 'AUTH_ERROR',
  403: 'AUTH_ERROR',
  404: 'NOT_FOUND',
  410: 'GONE',
  429: 'RATE_LIMITED',
};

export const rss: Fetcher = defineFetcher({
  type: 'rss',
  name: 'Feed',
  externalId: FeedAddress,
  pushedFrom({ externalId, validators }) {
    const { readFrom = externalId, idsDepend } = memoOf(validators);
    // Hubs push new items without the others.
    return idsDepend ? undefined : readFrom;
  },
  async fetch(command, tools) {
    if (command.cursor !== undefined) return fetchOlder(command, command.cursor, tools);
    const { externalId, validators: known, signal, now } = command;
    const { response, unchanged, notModified, validators } = await getIfChanged(
      { url: externalId, validators: known, signal },
      tools,
    );
    const movedTo = newAddress(externalId, response.permanentUrl);
    // A 304 only says that the new URL accepts these validators, not that it serves a feed.
    if (movedTo && notModified) return rss.fetch({ ...command, validators: {} }, tools);
    const memo = memoOf(known);
    const read = unchanged ? undefined : await readNews(response, { command, memo, tools });
    if (!read) {
      const allows = allowsStill(response, { memo, now });
      return { unchanged: true, notModified, validators: withMemo(validators, memo), allows, movedTo };
    }
    const { feed, digests, partly } = read;
    const { title, siteUrl, allows, idsDepend } = feed;
    const readAt = digests && (partly ? memo.readAt : now.getTime());
    const readFrom = response.url === externalId ? undefined : response.url;
    return {
      ...pageOf(feed, command),
      partly,
      digests,
      source: { title, siteUrl },
      validators: withMemo(validators, { ...allows, readAt, readFrom, idsDepend }),
      allows: feedAllowance(response.headers, allows, now),
      movedTo,
      servedBy: movedTo,
      announces: announcedHubs(response, feed),
    };
  },
});

/** The description and limits of an archive page do not apply to the feed. */
async function fetchOlder(command: FetchCommand, cursor: string, tools: FetcherTools): Promise<FetchedPage> {
  const address = webAddress(cursor);
  if (!address) throw new FetchFailure('INVALID_COMMAND', 'the cursor of a feed is an http or https address');
  const { response } = await getIfChanged({ url: address, validators: {}, signal: command.signal }, tools);
  return pageOf(await tools.parseFeed(documentOf(response, command.fields)), command);
}

interface News {
  command: FetchCommand;
  memo: Memo;
  tools: FetcherTools;
}

async function readNews(response: HttpResponse, { command, memo, tools }: News): Promise<NewItems | undefined> {
  const { fields, archive, now } = command;
  const document = documentOf(response, fields);
  if (!command.digests || fields || archive) return { feed: await tools.parseFeed(document), partly: false };
  const hold = memo.readAt !== undefined && now.getTime() - memo.readAt < DIGESTS_HOLD_MS;
  return readNewItems(document, { parse: tools.parseFeed, digests: hold ? command.digests : undefined });
}

function documentOf(response: HttpResponse, fields: FetchCommand['fields']): FeedDocument {
  const { status, headers, url, body } = response;
  if (status !== 200) throw refused(response);
  return { body, url, contentType: headers['content-type'], contentLocation: headers['content-location'], fields };
}

function pageOf({ posts, unreadable, repeated, olderUrl }: ParsedFeed, command: FetchCommand): FetchedPage {
  const { externalId, cursor, archive } = command;
  const found = { posts, unreadable, repeated };
  if (!archive || !olderUrl) return found;
  const older = withCredentialsOf(new URL(externalId), olderUrl);
  return { ...found, nextCursor: older === externalId || older === cursor ? undefined : older };
}

/** A 304 without caching headers leaves the earlier allowance in force. */
function allowsStill(
  { status, headers }: HttpResponse,
  { memo, now }: { memo: Memo; now: Date },
): Allowance | undefined {
  const saysNothing = headers['cache-control'] === undefined && headers.expires === undefined;
  if (status === 304 && saysNothing) return undefined;
  return feedAllowance(headers, FeedLimits.parse(memo), now);
}

const memoOf = ({ memo }: Validators): Memo => Memo.parse(JSON.parse(memo ?? '{}'));

function withMemo(validators: Validators, memo: Memo): Validators {
  const text = JSON.stringify(memo);
  return text === '{}' ? validators : { ...validators, memo: text };
}

function refused(response: HttpResponse): FetchFailure {
  const { status, retryAfter } = response;
  const asksToWait = status === 503 && retryAfter !== undefined;
  const code = asksToWait ? 'RATE_LIMITED' : (MEANINGS[status] ?? 'NETWORK_ERROR');
  return refusal(response, { code, words: STATUS_CODES[status] });
}

function newAddress(externalId: string, permanentUrl: string | undefined): string | undefined {
  if (!permanentUrl) return undefined;
  const moved = FeedAddress.safeParse(withCredentialsOf(new URL(externalId), permanentUrl));
  return moved.success && moved.data !== externalId ? moved.data : undefined;
}
