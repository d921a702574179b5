import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config, type RateLimit } from '../../platform/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database, type Db } from '../../platform/database/database.js';
import type { Platform } from '../platform.js';
import { findPlatform, platforms } from '../platforms.js';
import { type Calls, type Capacity, capacityWithin, NO_CALLS, tighter } from './capacity.js';
import { platformSlots } from './platform-slots.table.js';

const DAY_MS = 24 * 3_600_000;

/** All times are PostgreSQL's, so that clocks of other machines do not matter. */
@Injectable()
export class PlatformSlotsStore {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'platformLimits' | 'userLimits'>,
    private readonly database: Database,
  ) {}

  /** Locks the platform until the transaction ends, so that reservations happen one at a time. */
  async callsHeld(db: Db, platform: string): Promise<PlatformCalls> {
    await db.execute(sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.platformSlots}, hashtext(${platform}))`);
    return this.calls(platform, db);
  }

  async calls(platform: string, db: Db = this.database.db): Promise<PlatformCalls> {
    const limits = this.limitsOf(platform);
    const longestMs = Math.max(limits.platform?.windowMs ?? 0, limits.user?.windowMs ?? 0) + 1_000;
    const { rows } = await db.execute<{ userId: string; underWay: number; endedMsAgo: number[] }>(sql`
      SELECT user_id AS "userId", count(*) FILTER (WHERE ended_at IS NULL)::int AS "underWay", coalesce(
        array_agg(date_part('epoch', clock_timestamp() - ended_at) * 1000 ORDER BY ended_at)
          FILTER (WHERE ended_at IS NOT NULL), '{}') AS "endedMsAgo"
      FROM ${platformSlots} WHERE platform = ${platform}
        AND (ended_at IS NULL OR ended_at > clock_timestamp() - make_interval(secs => ${longestMs / 1_000}))
      GROUP BY user_id`);
    return new PlatformCalls(limits, new Map(rows.map(({ userId, ...calls }) => [userId, calls])));
  }

  /** A platform that does not exist any more has no limits. */
  limitsOf(name: string): Limits {
    const platform = findPlatform(name);
    return platform ? limitsOf(platform, this.config) : UNLIMITED;
  }

  /** Ends a call whose post is or may be on the platform. */
  async end(db: Db, publicationId: string): Promise<void> {
    await db.execute(sql`
      UPDATE ${platformSlots} SET ended_at = clock_timestamp()
      WHERE publication_id = ${publicationId} AND ended_at IS NULL`);
  }

  /** Frees the slot of a call that certainly published nothing. */
  async release(db: Db, publicationId: string): Promise<void> {
    await db.execute(sql`DELETE FROM ${platformSlots} WHERE publication_id = ${publicationId} AND ended_at IS NULL`);
  }

  /** Deletes slots that no longer count, and would not with a window twice as long. */
  async forget(): Promise<void> {
    const limits = platforms.map((platform) => limitsOf(platform, this.config));
    const windows = limits.flatMap(({ platform, user }) => [platform?.windowMs ?? 0, user?.windowMs ?? 0]);
    const seconds = (2 * Math.max(...windows, DAY_MS)) / 1_000;
    await this.database.db.execute(sql`
      DELETE FROM ${platformSlots} WHERE ended_at < clock_timestamp() - make_interval(secs => ${seconds})`);
  }
}

export const UNLIMITED: Limits = { platform: undefined, user: undefined };

export class PlatformCalls {
  constructor(
    readonly limits: Limits,
    private readonly byUser: Map<string, Calls>,
  ) {}

  get platformCapacity(): Capacity {
    const all = [...this.byUser.values()];
    return capacityWithin(this.limits.platform, {
      underWay: all.reduce((sum, { underWay }) => sum + underWay, 0),
      endedMsAgo: all.flatMap(({ endedMsAgo }) => endedMsAgo).toSorted((a, b) => b - a),
    });
  }

  get endedMsAgo(): number[] {
    return [...this.byUser.values()].flatMap(({ endedMsAgo }) => endedMsAgo);
  }

  add(userId: string, count = 1): void {
    const { underWay, endedMsAgo } = this.byUser.get(userId) ?? NO_CALLS;
    this.byUser.set(userId, { underWay: underWay + count, endedMsAgo });
  }

  capacityOfUser(userId: string): Capacity {
    return capacityWithin(this.limits.user, this.byUser.get(userId) ?? NO_CALLS);
  }

  get users(): string[] {
    return [...this.byUser.keys()];
  }

  /** The platform decides if it has no capacity, else the first user without any. */
  nextCapacityInMs(): number | undefined {
    const capacity = this.platformCapacity;
    if (capacity.now < 1) return capacity.nextInMs;
    const waits = this.users.map((userId) => this.capacityOfUser(userId)).filter(({ now }) => now < 1);
    const known = waits.map(({ nextInMs }) => nextInMs).filter((ms) => ms !== undefined);
    return known.length ? Math.min(...known) : undefined;
  }

  capacityFor(userId: string): Capacity {
    return tighter(this.platformCapacity, this.capacityOfUser(userId));
  }
}

/** Posts in any window, from all users together and from each user. Undefined means no limit. */
interface Limits {
  platform: RateLimit | undefined;
  user: RateLimit | undefined;
}

function limitsOf(
  { name, limit }: Pick<Platform, 'name' | 'limit'>,
  { platformLimits, userLimits }: Pick<Config, 'platformLimits' | 'userLimits'>,
): Limits {
  const chosen = (limits: Map<string, RateLimit | null>) =>
    limits.has(name) ? (limits.get(name) ?? undefined) : limit;
  return { platform: chosen(platformLimits), user: chosen(userLimits) };
}
