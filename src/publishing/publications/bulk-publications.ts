import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { ApiError, type FieldError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { keepAccounts } from '../accounts/accounts.store.js';
import type { Account } from '../accounts/accounts.table.js';
import type { Content } from '../platform.js';
import { PublishScheduler } from '../sending/publish-scheduler.js';
import { type BulkLine, MAX_POSTS } from './bulk-lines.js';
import { accountIdsOf } from './create-publications.js';
import { NewPublication } from './publication-requests.js';
import { PRIORITIES } from './publication-status.js';
import { refuseEarlyExpiry, timeOf } from './publication-time.js';
import { type NewRow, PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';
import { TargetAccounts } from './target-accounts.js';

export const BulkView = z.strictObject({
  posts: z.int(),
  /** A post for several accounts is several publications. */
  publications: z.int(),
  due: z.int(),
  scheduled: z.int(),
  platforms: z.record(z.string(), z.int()),
  /** In the order of the posts. */
  ids: z.array(z.string()),
});
export type BulkView = z.infer<typeof BulkView>;

/** Other requests are answered after each of these parts. */
const PART = 250;
const MAX_DESCRIBED = 20;

/** Stores all posts of a request in one transaction, or none. Files of posts are not requested before they are sent. */
@Injectable()
export class BulkPublications {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly targets: TargetAccounts,
    private readonly store: PublicationsStore,
    private readonly scheduler: PublishScheduler,
    private readonly clock: Clock,
  ) {}

  /** A repeated idempotency key returns the publications of the first request. */
  async create(userId: string, lines: BulkLine[], key?: string): Promise<BulkView> {
    const request = key === undefined ? {} : { idempotencyKey: key, requestHash: hashOf(lines) };
    const earlier = await this.earlier(userId, request);
    if (earlier) return this.viewOf(earlier, lines);
    const rows = await this.checked(userId, lines);
    const made = await this.store.withKey(userId, key, async (db) => {
      const others = await this.earlier(userId, request, db);
      return others ?? this.insert(db, userId, { rows, request });
    });
    this.scheduler.handOutSoon(made);
    return this.viewOf(made, lines);
  }

  private async earlier(userId: string, { idempotencyKey, requestHash }: Request, db?: Db) {
    if (idempotencyKey === undefined) return undefined;
    const made = await this.store.madeWith(userId, idempotencyKey, db);
    if (made.every((one) => one.requestHash === requestHash)) return made.length ? made : undefined;
    throw new ApiError('idempotency_key_reused', 'The key was used for a request with other posts.');
  }

  private async checked(userId: string, lines: BulkLine[]): Promise<NewRow[]> {
    const errors: FieldError[] = [];
    const posts = await inParts(lines, (line) => parsed(line, errors));
    const ids = new Set(posts.flatMap(({ post }) => accountIdsOf(post)));
    const accounts = await this.targets.known(userId, [...ids]);
    const check = { accounts, content: this.targets.bulkCheck(), now: this.clock.now(), userId };
    const rows = (await inParts(posts, (one) => this.rowsOf(one, check, errors))).flat();
    if (errors.length) throw refused(errors);
    if (rows.length > MAX_POSTS)
      throw refused([{ path: 'posts', message: `${rows.length} publications, and ${MAX_POSTS} may be made at once` }]);
    return rows;
  }

  private rowsOf({ path, post }: ParsedLine, check: Check, errors: FieldError[]): NewRow[] {
    try {
      return this.validRows(post, check);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [first = { path: '', message: error.message }] = error.errors ?? [];
      errors.push({ path: [path, first.path].filter(Boolean).join('.'), message: first.message });
      return [];
    }
  }

  /** Each account of a post for several becomes a publication with the same group. */
  private validRows(post: NewPublication, { accounts, content: contentErrors, now, userId }: Check): NewRow[] {
    const { content, priority, slot } = post;
    if (slot !== undefined) throw invalid({ path: 'slot', message: 'is not possible in a bulk request' });
    const time = timeOf(post, { now, graceMs: this.config.publishGraceMs });
    const expiresAt = post.expiresAt === undefined ? null : new Date(post.expiresAt);
    refuseEarlyExpiry(expiresAt, time.scheduledAt, now);
    const ids = accountIdsOf(post);
    const groupId = ids.length > 1 ? randomUUID() : null;
    return ids.map((accountId) => {
      const account = accounts.get(accountId);
      if (!account) throw invalid({ path: 'accountId', message: `you have no account ${accountId}` });
      const [error] = contentErrors(account, content);
      if (error) throw invalid(error);
      const { platform } = account;
      return {
        userId,
        accountId,
        platform,
        groupId,
        content,
        priority: PRIORITIES.indexOf(priority),
        expiresAt,
        ...time,
      };
    });
  }

  private async insert(db: Db, userId: string, { rows, request }: { rows: NewRow[]; request: Request }) {
    const ids = [...new Set(rows.map(({ accountId }) => accountId))];
    const kept = new Set(await keepAccounts(db, userId, ids));
    // An account may have been removed while the posts were checked.
    const gone = ids.find((id) => !kept.has(id));
    if (gone !== undefined) throw new ApiError('not_found', `You have no account ${gone}.`);
    const keyed = rows.map((row) => ({ ...row, ...request }));
    return this.store.insertAll(db, keyed, this.clock.now());
  }

  private viewOf(made: Publication[], lines: BulkLine[]): BulkView {
    const now = this.clock.now();
    const due = made.filter(({ scheduledAt }) => scheduledAt <= now).length;
    const platforms: Record<string, number> = {};
    for (const { platform } of made) platforms[platform] = (platforms[platform] ?? 0) + 1;
    const ids = made.map(({ id }) => id);
    return { posts: lines.length, publications: made.length, due, scheduled: made.length - due, platforms, ids };
  }
}

type Request = { idempotencyKey?: string; requestHash?: string };
type ParsedLine = { path: string; post: NewPublication };

interface Check {
  userId: string;
  accounts: Map<string, Account>;
  content: (account: Account, content: Content) => FieldError[];
  now: Date;
}

async function inParts<Item, Result>(items: Item[], work: (item: Item) => Result | undefined): Promise<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (at % PART === PART - 1) await nextTick();
    const result = work(item);
    if (result !== undefined) results.push(result);
  }
  return results;
}

function parsed({ path, value, problem }: BulkLine, errors: FieldError[]): ParsedLine | undefined {
  if (problem !== undefined) {
    errors.push({ path, message: problem });
    return undefined;
  }
  const result = NewPublication.safeParse(value);
  if (result.success) return { path, post: result.data };
  const [issue] = result.error.issues;
  errors.push({ path: [path, ...(issue?.path ?? [])].join('.'), message: issue?.message ?? 'is invalid' });
  return undefined;
}

const invalid = ({ path, message }: FieldError) =>
  new ApiError('validation_failed', message, { errors: [{ path, message }] });

function refused(errors: FieldError[]): ApiError {
  const named = errors.slice(0, MAX_DESCRIBED).map(({ path, message }) => `${path}: ${message}`);
  if (errors.length > named.length) named.push(`and ${errors.length - named.length} more`);
  return new ApiError('bulk_refused', named.join('; '), { errors });
}

const hashOf = (lines: BulkLine[]) => createHash('sha256').update(JSON.stringify(lines)).digest('hex');
