import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { Batcher } from '../../platform/database/batcher.js';
import { Database, violates } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { type Claim, isAmong, STILL_WAITS } from '../../platform/queue/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
import { inWords, type Limits, limitsOf } from '../limits/limits.js';
import { type PlatformCalls, PlatformSlotsStore } from '../limits/platform-slots.store.js';
import { platformSlots } from '../limits/platform-slots.table.js';
import type { Platform } from '../platform.js';
import { telling } from '../publications/publication-changed.event.js';
import { publicationChanges, publications, TWINS } from '../publications/publications.table.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { PublishingHold } from '../restore/publishing-hold.js';
import type { Attempted } from './attempts.store.js';

type Intention =
  | { kind: 'decided'; intended: Attempted }
  | { kind: 'no room'; until: Date; reason: string }
  /** Somebody edited the publication meanwhile. */
  | { kind: 'changed' };

interface Wish {
  claim: Claim;
  publication: Attempted;
}

/** The retry delay (ms) while calls in flight may still free a slot. */
const UNDER_WAY_MS = 250;
const TWIN_MS = 1_000;
/**
 * A publication is held back for at most this long when the limits leave no capacity. From then on the scheduler decides, by the
 * limits that hold at that moment, so that a limit that was raised or removed takes effect at once.
 */
const MAX_CAPACITY_WAIT_MS = 1_000;
/** The retry delay (ms) while publishing is held. The scheduler hands out nothing before the hold has ended. */
const HELD_MS = 10_000;

const { placeholder } = sql;

const intending = new PreparedQuery<Written>(sql`
  WITH held AS MATERIALIZED (
    SELECT id AS held_id, status = 'queued' AND version = wanted_version AS is_same FROM ${publications}
    JOIN unnest(${placeholder('ids')}::bigint[], ${placeholder('fences')}::int[], ${placeholder('versions')}::int[])
      AS wanted (wanted_id, wanted_fence, wanted_version) ON id = wanted_id AND job_fence = wanted_fence
    WHERE ${isAmong(placeholder('ids'))} AND ${STILL_WAITS} ORDER BY id FOR NO KEY UPDATE OF ${publications}
  ), moved AS (
    UPDATE ${publications} SET status = 'publishing', intended_at = ${placeholder('at')},
      first_tried_at = coalesce(first_tried_at, ${placeholder('at')}), attempts = attempts + 1,
      last_error = NULL, waiting_for = NULL, not_before = NULL
    FROM held WHERE id = held_id AND is_same RETURNING id, user_id, platform, attempts, first_tried_at
  ), noted AS (
    INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
    SELECT id, ${placeholder('at')}, 'queued', 'publishing', 'try ' || attempts FROM moved
  ), taken AS (
    INSERT INTO ${platformSlots} (platform, user_id, publication_id, taken_at)
    SELECT platform, user_id, id, clock_timestamp() FROM moved WHERE ${placeholder('isLimited')} ON CONFLICT DO NOTHING
  )
  SELECT held_id AS id, attempts, first_tried_at AS "firstTriedAt", CASE WHEN id IS NOT NULL THEN ${telling} END
  FROM held LEFT JOIN moved ON id = held_id`);

/**
 * Reserves capacity within the limits and records that a call is about to be made. From then on the publication
 * cannot be changed. Concurrent requests for one platform are decided in one batch.
 */
@Injectable()
export class PublishIntents {
  private readonly byPlatform = new Map<string, Batcher<Wish, Intention | undefined>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly slots: PlatformSlotsStore,
    private readonly hold: PublishingHold,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if another run has taken the publication. */
  intend(claim: Claim, publication: Attempted, platform: Platform): Promise<Intention | undefined> {
    const known = this.byPlatform.get(platform.name);
    const batched = known ?? new Batcher((wishes: Wish[]) => this.decide(platform, wishes));
    this.byPlatform.set(platform.name, batched);
    return batched.call({ claim, publication });
  }

  /**
   * Two equal posts of one account could not be distinguished if a call's outcome were unknown. A unique index keeps
   * them from being in flight together, so they go one after the other.
   */
  private async decide(platform: Platform, wishes: Wish[]): Promise<(Intention | undefined)[]> {
    if (await this.hold.isActive()) return wishes.map(() => this.wait(HELD_MS, 'the check after a restore'));
    try {
      return await this.decideTogether(platform, wishes);
    } catch (error) {
      if (!violates(error, TWINS)) throw error;
    }
    if (wishes.length === 1) return [this.untilTwinHasEnded()];
    const decided: (Intention | undefined)[] = [];
    for (const wish of wishes) decided.push(...(await this.decide(platform, [wish])));
    return decided;
  }

  private async decideTogether(platform: Platform, wishes: Wish[]): Promise<(Intention | undefined)[]> {
    const limits = limitsOf(platform, this.config);
    if (!limits.platform && !limits.user) {
      const written = await this.write(this.database.pool, wishes, false);
      return wishes.map(({ publication }) => written.get(publication.id));
    }
    return this.database.transaction(async (db, client) => {
      const calls = await this.slots.callsHeld(db, platform.name, limits);
      const refused = new Map(wishes.map((wish) => [wish, this.refusal(calls, limits, wish)]));
      const granted = wishes.filter((wish) => !refused.get(wish));
      const written = await this.write(client, granted, true);
      return wishes.map((wish) => refused.get(wish) ?? written.get(wish.publication.id));
    });
  }

  /** Returns the refusal, or reserves capacity and returns undefined. */
  private refusal(calls: PlatformCalls, limits: Limits, { publication: { userId } }: Wish): Intention | undefined {
    const room = calls.roomFor(userId);
    if (room.now >= 1) {
      calls.add(userId);
      return undefined;
    }
    const isFull = calls.roomOfPlatform.now < 1;
    const limit = isFull ? limits.platform : limits.user;
    const whose = isFull ? 'all together' : 'each user';
    const reason = `${WAITS_FOR.capacity} ${limit ? inWords(limit) : ''} for ${whose}`;
    return this.wait(Math.min(room.nextInMs ?? UNDER_WAY_MS, MAX_CAPACITY_WAIT_MS), reason);
  }

  private untilTwinHasEnded(): Intention {
    return this.wait(TWIN_MS, 'the end of another post with the same content');
  }

  private wait(ms: number, reason: string): Intention {
    return { kind: 'no room', until: new Date(this.clock.now().getTime() + ms), reason };
  }

  /** Returns the results by publication id, without those that another run has taken. */
  private async write(on: Pick<pg.Pool, 'query'>, wishes: Wish[], isLimited: boolean): Promise<Map<string, Intention>> {
    if (!wishes.length) return new Map();
    const at = this.clock.now();
    const rows = await intending.run(on, {
      ids: wishes.map(({ claim }) => claim.id),
      fences: wishes.map(({ claim }) => claim.fence),
      versions: wishes.map(({ publication }) => publication.version),
      at,
      isLimited,
    });
    const written = new Map(rows.map((row) => [row.id, row]));
    return new Map(wishes.flatMap(({ publication }) => toIntention(publication, written.get(publication.id), at)));
  }
}

interface Written {
  id: string;
  /** The value is null if the publication was changed. */
  attempts: number | null;
  firstTriedAt: string | Date | null;
}

function toIntention(publication: Attempted, row: Written | undefined, at: Date): [string, Intention][] {
  if (!row) return [];
  const { attempts, firstTriedAt } = row;
  if (attempts === null || firstTriedAt === null) return [[publication.id, { kind: 'changed' }]];
  const call = { intendedAt: at, firstTriedAt: new Date(firstTriedAt), attempts };
  const intended = { ...publication, ...call, lastError: null, waitingFor: null, notBefore: null };
  return [[publication.id, { kind: 'decided', intended }]];
}
