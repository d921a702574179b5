import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { withCredentialsOf } from '../../platform/http/web-address.js';
import type { Allowance, Validators } from '../../sources/fetch-states.table.js';
import {
  defineFetcher,
  type FetchCommand,
  type FetchedPage,
  type FetcherTools,
  FetchFailure,
  type FetchFailureCode,
  type ParsedFeed,
} from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { FeedAddress } from './feed-address.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { refusal } from './refusal.js';

/** What the feed itself wishes is told only when it is read; it still holds when it has not changed. */
const Wishes = z.object({
  everySeconds: z.number().optional(),
  skipHours: z.array(z.number()).optional(),
  skipDays: z.array(z.number()).optional(),
});

const MEANINGS: Record<number, FetchFailureCode> = {
  401: 'AUTH_ERROR',
  403: 'AUTH_ERROR',
  404: 'NOT_FOUND',
  410: 'GONE',
  429: 'RATE_LIMITED',
};

export const rss = defineFetcher({
  type: 'rss',
  name: 'Feed',
  externalId: FeedAddress,
  async fetch(command, tools) {
    if (command.cursor !== undefined) return fetchOlder(command, command.cursor, tools);
    const { externalId, validators: known, signal, now } = command;
    const { response, unchanged, notModified, validators } = await getIfChanged(
      { url: externalId, validators: known, signal },
      tools,
    );
    const movedTo = newAddress(externalId, response.permanentUrl);
    if (unchanged) {
      const { memo } = known;
      const allows = allowsStill(response, { memo, now });
      return { unchanged, notModified, validators: { ...validators, memo }, allows, movedTo };
    }
    const feed = await read(response, command, tools);
    const { title, siteUrl } = feed;
    return {
      ...pageOf(feed, command),
      source: { title, siteUrl },
      validators: remembering(validators, feed.allows),
      allows: feedAllowance(response.headers, feed.allows, now),
      movedTo,
    };
  },
});

/** A page of the feed's archive. What it says of itself is not said of the feed. */
async function fetchOlder(command: FetchCommand, cursor: string, tools: FetcherTools): Promise<FetchedPage> {
  const address = webAddress(cursor);
  if (!address) throw new FetchFailure('INVALID_COMMAND', 'the cursor of a feed is an http or https address');
  const { response } = await getIfChanged({ url: address, validators: {}, signal: command.signal }, tools);
  return pageOf(await read(response, command, tools), command);
}

async function read(response: HttpResponse, { fields }: FetchCommand, tools: FetcherTools): Promise<ParsedFeed> {
  const { status, headers, url, body } = response;
  if (status !== 200) throw refused(response);
  const contentType = headers['content-type'];
  const contentLocation = headers['content-location'];
  return tools.parseFeed({ body, contentType, contentLocation, url, fields });
}

function pageOf({ posts, unreadable, repeated, olderUrl }: ParsedFeed, command: FetchCommand): FetchedPage {
  const { externalId, cursor, archive } = command;
  const found = { posts, unreadable, repeated };
  if (!archive || !olderUrl) return found;
  const older = withCredentialsOf(new URL(externalId), olderUrl);
  return { ...found, nextCursor: older === externalId || older === cursor ? undefined : older };
}

/** A 304 that says nothing about its age leaves what was said before in force. */
function allowsStill(
  { status, headers }: HttpResponse,
  { memo, now }: { memo: string | undefined; now: Date },
): Allowance | undefined {
  const saysNothing = headers['cache-control'] === undefined && headers.expires === undefined;
  if (status === 304 && saysNothing) return undefined;
  return feedAllowance(headers, memo ? Wishes.parse(JSON.parse(memo)) : {}, now);
}

function remembering(validators: Validators, wishes: Allowance): Validators {
  return Object.keys(wishes).length > 0 ? { ...validators, memo: JSON.stringify(wishes) } : validators;
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
