import { z } from 'zod';
import type { RequestOptions } from '../../platform/http/http-client.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import {
  defineFetcher,
  type FetchCommand,
  type FetchedPage,
  type FetcherTools,
  FetchFailure,
  type FetchResult,
} from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { accountAt, apiUrl, lookupUrl, MastodonAccount, partsOf } from './mastodon-account.js';
import { confirmsMove } from './mastodon-move.js';
import { Account, fullName, isPublic, Status, toPost } from './mastodon-status.js';
import { readJson, Text } from './read-json.js';
import { refusal, resetOf } from './refusal.js';
import { servedAs } from './webfinger.js';

const MAX_STATUSES = 40;
const ALLOWED = { everySeconds: 60 };

/** Any page may look like a profile, so its host gets less time than a known instance (ms). */
const LOOK_UP = { timeouts: { total: 5_000 } };

const NEXT_PAGE = /<[^<>]*[?&]max_id=([\w-]{1,100})[^<>]*>;\s*rel="?next\b/;
const CURSOR = /^([\w-]{1,100})\/([\w-]{1,100})$/;

/** The account id of the instance is kept in memo and cursors, and looked up again if it becomes invalid. */
export const mastodon = defineFetcher({
  type: 'mastodon',
  name: 'Mastodon account',
  externalId: MastodonAccount,
  address: (externalId, { mastodonUrl }) => mastodonUrl ?? `https://${partsOf(externalId).host}/`,

  async lookUp(url, tools, signal) {
    const account = accountAt(url);
    if (!account) return undefined;
    const { response, externalId } = await lookUpAccount(account, tools, { ...LOOK_UP, signal });
    return response.status === 200 && readJsonIf(response, Account) ? externalId : undefined;
  },

  async fetch(command, tools) {
    return withConfirmedMove(await fetchPage(command, tools), command, tools);
  },
});

async function fetchPage(command: FetchCommand, tools: FetcherTools): Promise<FetchResult> {
  const { accountId, maxId } = startOf(command);
  const page = accountId && (await statusesOf({ accountId, maxId }, command, tools));
  if (page) return page;
  const { account, externalId } = await accountOf(command, tools);
  const served = { ...command, externalId };
  const isElsewhere = externalId !== command.externalId;
  const isNew = isElsewhere || account.id !== accountId;
  const found = isNew && (await statusesOf({ accountId: account.id, maxId }, served, tools));
  if (!found) throw new FetchFailure('NOT_FOUND', `the instance of ${command.externalId} does not show its statuses`);
  if (isElsewhere) return { ...found, movedTo: externalId, servedBy: externalId };
  return { ...found, ...described(account, served) };
}

/** Any account can claim to have moved to another, so the move counts only if the target confirms it. */
async function withConfirmedMove(
  page: FetchResult,
  { externalId, cursor, signal }: FetchCommand,
  tools: FetcherTools,
): Promise<FetchResult> {
  const { movedTo } = page;
  if (!movedTo || 'unchanged' in page || page.servedBy || cursor !== undefined) return page;
  if (await confirmsMove({ from: externalId, to: movedTo }, tools, signal)) return page;
  // Without HTTP validators the page is read again until the move is confirmed.
  return { ...page, movedTo: undefined, validators: { memo: page.validators?.memo } };
}

interface Start {
  accountId: string;
  maxId: string | undefined;
}

function startOf({ cursor, validators }: FetchCommand): { [field in keyof Start]: string | undefined } {
  if (cursor === undefined) return { accountId: validators.memo, maxId: undefined };
  const [, accountId, maxId] = CURSOR.exec(cursor) ?? [];
  if (!accountId) throw new FetchFailure('INVALID_COMMAND', 'this is no cursor of an account');
  return { accountId, maxId };
}

async function statusesOf(start: Start, command: FetchCommand, tools: FetcherTools): Promise<FetchResult | undefined> {
  const { user, host } = partsOf(command.externalId);
  const url = statusesUrl(start, command, tools);
  const answer = await getIfChanged({ url, validators: validatorsFor(start, command), signal: command.signal }, tools);
  const validators = { ...answer.validators, memo: start.accountId };
  const allows = feedAllowance(answer.response.headers, ALLOWED, command.now);
  const { unchanged, notModified } = answer;
  if (unchanged) return { unchanged, notModified, validators, allows };
  if (answer.response.status === 404) return undefined;
  if (answer.response.status !== 200) throw refused(answer.response, command);
  const statuses = await readJson(answer.response, z.array(Status));
  if (statuses.some(({ account }) => account.username.toLowerCase() !== user)) return undefined;
  return {
    posts: statuses.filter(isPublic).map((status) => toPost(status, host)),
    nextCursor: nextCursor(start, statuses, answer.response),
    ...(statuses[0] && described(statuses[0].account, command)),
    validators,
    allows,
  };
}

/** Validators apply only to the newest page of the account id they were issued for. */
function validatorsFor({ accountId, maxId }: Start, { validators }: FetchCommand): Validators {
  return maxId === undefined && accountId === validators.memo ? validators : {};
}

/** Without a `Link` header, an empty page is the last. */
function nextCursor({ accountId }: Start, statuses: Status[], { headers }: HttpResponse): string | undefined {
  const maxId = headers.link === undefined ? statuses.at(-1)?.id : NEXT_PAGE.exec(headers.link)?.[1];
  return maxId && `${accountId}/${maxId}`;
}

interface AccountLookup {
  response: HttpResponse;
  /** The account under the host that serves it. */
  externalId: string;
}

async function lookUpAccount(externalId: string, tools: FetcherTools, options: RequestOptions): Promise<AccountLookup> {
  const response = await tools.http.get(lookupUrl(externalId, tools), options);
  const served = response.status === 404 ? await servedAs(externalId, tools, options) : undefined;
  if (!served) return { response, externalId };
  return { response: await tools.http.get(lookupUrl(served, tools), options), externalId: served };
}

async function accountOf(command: FetchCommand, tools: FetcherTools) {
  const { response, externalId } = await lookUpAccount(command.externalId, tools, { signal: command.signal });
  if (response.status !== 200) throw refused(response, command);
  return { account: await readJson(response, Account), externalId };
}

function described(account: Account, { externalId }: FetchCommand): Pick<FetchedPage, 'source' | 'movedTo'> {
  const { display_name, url, moved } = account;
  const { host } = partsOf(externalId);
  const target = moved ? MastodonAccount.safeParse(fullName(moved, host)).data : undefined;
  return {
    source: { title: display_name?.trim() || `@${fullName(account, host)}`, siteUrl: webAddress(url) },
    movedTo: target === externalId ? undefined : target,
  };
}

function statusesUrl({ accountId, maxId }: Start, { externalId, limit }: FetchCommand, tools: FetcherTools): string {
  const url = apiUrl(`accounts/${accountId}/statuses`, externalId, tools);
  url.searchParams.set('limit', String(Math.min(Math.max(limit, 1), MAX_STATUSES)));
  url.searchParams.set('exclude_replies', 'true');
  if (maxId !== undefined) url.searchParams.set('max_id', maxId);
  return url.href;
}

const Complaint = z.object({ error: Text });

function refused(response: HttpResponse, { now }: FetchCommand): FetchFailure {
  const words = readJsonIf(response, Complaint)?.error;
  // Instances that hide profiles from unauthenticated clients also answer 422.
  const code =
    response.status === 422 ? (/authenticated/i.test(words ?? '') ? 'AUTH_ERROR' : 'INVALID_COMMAND') : undefined;
  return refusal(response, { code, words, reset: resetOf(new Date(response.headers['x-ratelimit-reset'] ?? ''), now) });
}
