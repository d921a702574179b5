import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { Batcher } from '../../platform/database/batcher.js';
import { Database, violates } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { type Claim, claimLists } from '../../platform/jobs/job-rows.js';
import { PROCESS_NAME } from '../../platform/jobs/runs/run-history.js';
import { Clock } from '../../platform/time/clock.js';
import { type PlatformCalls, PlatformSlotsStore } from '../limits/platform-slots.store.js';
import { platformSlots } from '../limits/platform-slots.table.js';
import type { Platform } from '../platform.js';
import { telling } from '../publications/publication-changed.event.js';
import { publicationChanges, publications, TWINS } from '../publications/publications.table.js';
import { waitsForCapacity } from '../publications/why-it-waits.js';
import { HOLD_IS_ACTIVE } from '../restore/publishing-hold.js';
import type { PublicationWithAccount } from './publish-jobs.js';
import { publicationRows } from './publish-jobs.js';

type Intention =
  | { kind: 'decided'; intended: PublicationWithAccount }
  | { kind: 'no capacity'; until: Date; reason: string }
  | { kind: 'changed' };

interface IntentRequest {
  claim: Claim;
  publication: PublicationWithAccount;
}

/** The retry delay (ms) while calls in flight may still free a slot. */
const FULL_RETRY_MS = 250;
const TWIN_MS = 1_000;
/** After at most this long (ms) the scheduler decides again, so that a raised limit takes effect at once. */
const MAX_CAPACITY_WAIT_MS = 1_000;
/** The retry delay (ms) while publishing is held. The scheduler hands out nothing before the hold has ended. */
const HELD_MS = 10_000;

const { placeholder } = sql;

const intending = new PreparedQuery<IntentRow>(sql`
  WITH hold AS MATERIALIZED (SELECT ${HOLD_IS_ACTIVE} AS is_active), held AS MATERIALIZED (
    ${publicationRows.fenced({
      lists: { loaded_version: 'int' },
      columns: sql`status = 'queued' AND version = loaded_version AS is_same`,
    })}
  ), moved AS (
    UPDATE ${publications} SET status = 'publishing', intended_at = ${placeholder('at')},
      first_tried_at = coalesce(first_tried_at, ${placeholder('at')}), attempts = attempts + 1,
      processed_by = ${placeholder('worker')}, last_error = NULL, waiting_for = NULL, not_before = NULL
    FROM held, hold WHERE id = held_id AND is_same AND NOT is_active RETURNING id, user_id, platform, attempts, first_tried_at
  ), noted AS (
    INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
    SELECT id, ${placeholder('at')}, 'queued', 'publishing', 'try ' || attempts FROM moved
  ), taken AS (
    INSERT INTO ${platformSlots} (platform, user_id, publication_id, taken_at)
    SELECT platform, user_id, id, clock_timestamp() FROM moved WHERE ${placeholder('isLimited')} ON CONFLICT DO NOTHING
  )
  SELECT held_id AS id, is_active AS "isOnHold", attempts, first_tried_at AS "firstTriedAt",
    CASE WHEN id IS NOT NULL THEN ${telling} END
  FROM held CROSS JOIN hold LEFT JOIN moved ON id = held_id`);

/** After the intent the publication cannot be changed. Concurrent requests for one platform are one batch. */
@Injectable()
export class PublishIntents {
  private readonly byPlatform = new Map<string, Batcher<IntentRequest, Intention | undefined>>();

  constructor(
    private readonly database: Database,
    private readonly slots: PlatformSlotsStore,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if another run has taken the publication. */
  intend(claim: Claim, publication: PublicationWithAccount, platform: Platform): Promise<Intention | undefined> {
    const known = this.byPlatform.get(platform.name);
    const batched = known ?? new Batcher((requests: IntentRequest[]) => this.decide(platform, requests));
    this.byPlatform.set(platform.name, batched);
    return batched.call({ claim, publication });
  }

  /** Equal posts of one account cannot be distinguished, so a unique index keeps them from being in flight together. */
  private async decide(platform: Platform, requests: IntentRequest[]): Promise<(Intention | undefined)[]> {
    try {
      return await this.decideTogether(platform, requests);
    } catch (error) {
      if (!violates(error, TWINS)) throw error;
    }
    if (requests.length === 1) return [this.untilTwinHasEnded()];
    const decided: (Intention | undefined)[] = [];
    for (const request of requests) decided.push(...(await this.decide(platform, [request])));
    return decided;
  }

  private async decideTogether(platform: Platform, requests: IntentRequest[]): Promise<(Intention | undefined)[]> {
    const limits = this.slots.limitsOf(platform.name);
    if (!limits.platform && !limits.user) {
      const written = await this.write(this.database.pool, requests, false);
      return requests.map(({ publication }) => written.get(publication.id));
    }
    return this.database.transaction(async (db, client) => {
      const calls = await this.slots.callsHeld(db, platform.name);
      const refused = new Map(requests.map((request) => [request, this.refusal(calls, request)]));
      const granted = requests.filter((request) => !refused.get(request));
      const written = await this.write(client, granted, true);
      return requests.map((request) => refused.get(request) ?? written.get(request.publication.id));
    });
  }

  private refusal(calls: PlatformCalls, { publication: { userId } }: IntentRequest): Intention | undefined {
    const { now, nextInMs } = calls.capacityFor(userId);
    if (now < 1) return this.wait(Math.min(nextInMs ?? FULL_RETRY_MS, MAX_CAPACITY_WAIT_MS), waitsForCapacity(calls));
    calls.add(userId);
    return undefined;
  }

  private untilTwinHasEnded(): Intention {
    return this.wait(TWIN_MS, 'the end of another post with the same content');
  }

  private wait(ms: number, reason: string): Intention {
    return { kind: 'no capacity', until: new Date(this.clock.now().getTime() + ms), reason };
  }

  private async write(
    on: Pick<pg.Pool, 'query'>,
    requests: IntentRequest[],
    isLimited: boolean,
  ): Promise<Map<string, Intention>> {
    if (!requests.length) return new Map();
    const at = this.clock.now();
    const rows = await intending.run(on, {
      ...claimLists(requests.map(({ claim }) => claim)),
      loaded_version: requests.map(({ publication }) => publication.version),
      at,
      isLimited,
      worker: PROCESS_NAME,
    });
    const written = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      requests.flatMap(({ publication }) => {
        const row = written.get(publication.id);
        return row ? [[publication.id, this.toIntention(publication, row, at)]] : [];
      }),
    );
  }

  private toIntention(publication: PublicationWithAccount, row: IntentRow, at: Date): Intention {
    const { isOnHold, attempts, firstTriedAt } = row;
    if (isOnHold) return this.wait(HELD_MS, 'the check after a restore');
    if (attempts === null || firstTriedAt === null) return { kind: 'changed' };
    const call = { intendedAt: at, firstTriedAt: new Date(firstTriedAt), attempts };
    const intended = { ...publication, ...call, lastError: null, waitingFor: null, notBefore: null };
    return { kind: 'decided', intended };
  }
}

interface IntentRow {
  id: string;
  isOnHold: boolean;
  /** The value is null if the publication was changed or no call may be made. */
  attempts: number | null;
  firstTriedAt: string | Date | null;
}
