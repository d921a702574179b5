import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Batched } from '../platform/database/batched.js';
import { Database, type Db } from '../platform/database/database.js';
import { violates } from '../platform/database/violates.js';
import { Events } from '../platform/events/events.js';
import type { Claim } from '../platform/queue/job-rows.js';
import type { Attempted } from './attempts.store.js';
import { inWords, type Limits, limitsOf } from './limits.js';
import type { Platform } from './platform.js';
import { type PlatformCalls, PlatformSlotsStore } from './platform-slots.store.js';
import { platformSlots } from './platform-slots.table.js';
import { publicationChanged } from './publication-changed.event.js';
import { publicationChanges } from './publication-changes.table.js';
import { publications, TWINS } from './publications.table.js';

export type Intention =
  | { kind: 'decided'; intended: Attempted }
  | { kind: 'no room'; until: Date; reason: string }
  /** Somebody has edited it. */
  | { kind: 'changed' };

interface Wish {
  claim: Claim;
  publication: Attempted;
}

/** So soon a post looks again for room that calls under way may leave. */
const UNDER_WAY_MS = 250;
const TWIN_MS = 1_000;

/**
 * Takes room within the limits and notes that a call is about to be made: from then on it is too late to change anything.
 * What is to be decided on for a platform at the same time is decided on together.
 */
@Injectable()
export class Intents {
  private readonly byPlatform = new Map<string, Batched<Wish, Intention | undefined>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly events: Events,
    private readonly slots: PlatformSlotsStore,
    private readonly clock: Clock,
  ) {}

  /** Undefined if another run has taken the publication. */
  intend(claim: Claim, publication: Attempted, platform: Platform): Promise<Intention | undefined> {
    const known = this.byPlatform.get(platform.name);
    const batched = known ?? new Batched((wishes: Wish[]) => this.decide(platform, wishes));
    this.byPlatform.set(platform.name, batched);
    return batched.call({ claim, publication });
  }

  /**
   * Two posts alike on one account could not be told apart if the end of a call were not known, so an index keeps them from
   * being under way together: they take turns.
   */
  private async decide(platform: Platform, wishes: Wish[]): Promise<(Intention | undefined)[]> {
    try {
      return await this.database.transaction((db) => this.decideTogether(db, platform, wishes));
    } catch (error) {
      if (!violates(error, TWINS)) throw error;
    }
    if (wishes.length === 1) return [this.untilTwinHasEnded()];
    const decided: (Intention | undefined)[] = [];
    for (const wish of wishes) decided.push(...(await this.decide(platform, [wish])));
    return decided;
  }

  private async decideTogether(db: Db, platform: Platform, wishes: Wish[]): Promise<(Intention | undefined)[]> {
    const limits = limitsOf(platform, this.config);
    const calls = await this.slots.callsHeld(db, platform.name, limits);
    const refused = new Map(wishes.map((wish) => [wish, calls && this.refusal(calls, limits, wish)]));
    const granted = wishes.filter((wish) => !refused.get(wish));
    const written = await this.write(db, granted, calls !== undefined);
    return wishes.map((wish) => refused.get(wish) ?? written.get(wish.publication.id));
  }

  /** Otherwise its room is taken. */
  private refusal(calls: PlatformCalls, limits: Limits, { publication: { userId } }: Wish): Intention | undefined {
    const room = calls.roomFor(userId);
    if (room.now >= 1) {
      calls.add(userId);
      return undefined;
    }
    const isFull = calls.roomOfPlatform.now < 1;
    const limit = isFull ? limits.platform : limits.user;
    const whose = isFull ? 'all together' : 'each user';
    const reason = `room within the limit of ${limit ? inWords(limit) : ''} for ${whose}`;
    return this.wait(room.nextInMs ?? UNDER_WAY_MS, reason);
  }

  private untilTwinHasEnded(): Intention {
    return this.wait(TWIN_MS, 'the end of another post with the same content');
  }

  private wait(ms: number, reason: string): Intention {
    return { kind: 'no room', until: new Date(this.clock.now().getTime() + ms), reason };
  }

  /** By publication; those that another run has taken are left out. */
  private async write(db: Db, wishes: Wish[], isLimited: boolean): Promise<Map<string, Intention>> {
    if (!wishes.length) return new Map();
    const at = this.clock.now();
    const { rows } = await db.execute<Written>(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id, status = 'queued' AND version = wanted_version AS is_same FROM ${publications}
        JOIN unnest(${sql.param(wishes.map(({ claim }) => claim.id))}::bigint[],
          ${sql.param(wishes.map(({ claim }) => claim.fence))}::int[],
          ${sql.param(wishes.map(({ publication }) => publication.version))}::int[]
        ) AS wanted (wanted_id, wanted_fence, wanted_version) ON id = wanted_id AND job_fence = wanted_fence
        WHERE job_state = 'waiting' ORDER BY id FOR NO KEY UPDATE OF ${publications}
      ), moved AS (
        UPDATE ${publications} SET status = 'publishing', intended_at = ${at},
          first_tried_at = coalesce(first_tried_at, ${at}), attempts = attempts + 1,
          last_error = NULL, waiting_for = NULL, not_before = NULL
        FROM held WHERE id = held_id AND is_same RETURNING id, user_id, platform, attempts, first_tried_at
      ), noted AS (
        INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
        SELECT id, ${at}, 'queued', 'publishing', 'try ' || attempts FROM moved
      ), taken AS (
        INSERT INTO ${platformSlots} (platform, user_id, publication_id, taken_at)
        SELECT platform, user_id, id, clock_timestamp() FROM moved WHERE ${isLimited} ON CONFLICT DO NOTHING
      )
      SELECT held_id AS id, attempts, first_tried_at AS "firstTriedAt" FROM held LEFT JOIN moved ON id = held_id`);
    const written = new Map(rows.map((row) => [row.id, row]));
    const intentions = wishes.flatMap(({ publication }) => toIntention(publication, written.get(publication.id), at));
    await this.tell(db, intentions);
    return new Map(intentions);
  }

  private async tell(db: Db, intentions: [string, Intention][]): Promise<void> {
    const news = intentions.flatMap(([publicationId, intention]) =>
      intention.kind === 'decided' ? [{ publicationId, userId: intention.intended.userId }] : [],
    );
    if (news.length) await this.events.publishAll(db, publicationChanged, news);
  }
}

interface Written extends Record<string, unknown> {
  id: string;
  /** Null if it was changed. */
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
