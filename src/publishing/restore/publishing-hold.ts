import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { countBeat, hasGoneBack, readKnownBeat, writeKnownBeat } from '../../platform/database/database-beat.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { publications } from '../publications/publications.table.js';
import { type PublishingHoldRow, publishingHolds, restoreCheckResults } from './publishing-holds.table.js';

/** A backup is at most this much younger (ms) than the last beat that it contains. */
const BEAT_INTERVAL_MS = 30_000;

export const OPEN_STATUSES = ['scheduled', 'queued', 'publishing'] as const;

interface NewHold {
  reason: string;
  label?: string | undefined;
  backupAt: Date;
  now: Date;
}

/** While a hold is active, the scheduler hands out nothing and no call is intended. */
@Injectable()
export class PublishingHold implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly periodic: Periodic,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap() {
    const { config, log, database, clock } = this;
    const { dataDir } = config;
    this.periodic.everyHere(BEAT_INTERVAL_MS, 'database beat', () =>
      noticeRestore(database, { dataDir, log, now: clock.now() }),
    );
  }

  async isActive(): Promise<boolean> {
    const [hold] = await reading.run(this.database.pool, {});
    return hold?.isActive ?? false;
  }

  async latest(): Promise<PublishingHoldRow | undefined> {
    const holds = this.database.db.select().from(publishingHolds);
    const [latest] = await holds.orderBy(sql`released_at DESC NULLS FIRST`, desc(publishingHolds.id)).limit(1);
    return latest;
  }

  async hold(hold: NewHold): Promise<void> {
    await this.database.transaction((db) => holdPublishing(db, hold));
  }

  async release({ id }: PublishingHoldRow): Promise<void> {
    const isThisOne = and(eq(publishingHolds.id, id), isNull(publishingHolds.releasedAt));
    await this.database.db.update(publishingHolds).set({ releasedAt: this.clock.now() }).where(isThisOne);
    this.log.info({ event: 'publishing_released' }, 'Publishing resumes after the restore check');
  }
}

/** The statement that stores an intent checks it too, which saves a round trip. */
export const HOLD_IS_ACTIVE = sql`EXISTS (SELECT FROM ${publishingHolds} WHERE released_at IS NULL)`;

const reading = new PreparedQuery<{ isActive: boolean }>(sql`SELECT ${HOLD_IS_ACTIVE} AS "isActive"`);

interface RestoreSigns {
  dataDir: string;
  log: Log;
  now: Date;
  copiedFrom?: string | undefined;
  /** The value of MILLRACE_RESTORED: when the backup was taken. */
  restored?: string | undefined;
}

export async function noticeRestore(database: Database, signs: RestoreSigns): Promise<void> {
  const { dataDir, log, now, copiedFrom, restored } = signs;
  const known = await readKnownBeat(dataDir);
  const { beat, held } = await database.transaction(async (db) => {
    const beat = await countBeat(db, now);
    const backupAt = restored ? new Date(Math.min(Date.parse(restored), Number(beat.previousAt))) : beat.previousAt;
    const label = restored && !(await isKnownLabel(db, restored)) ? restored : undefined;
    const reasons = [
      hasGoneBack(beat, known) && 'The database is in an earlier state than before',
      copiedFrom !== undefined && `The data folder is a copy of ${copiedFrom}, or was restored from one`,
      label && `MILLRACE_RESTORED is set to ${label}`,
    ].filter((reason) => typeof reason === 'string');
    const [reason] = reasons;
    const held = reason ? await holdPublishing(db, { reason, label, backupAt, now }) : false;
    return { beat, held: held && reason };
  });
  await writeKnownBeat(dataDir, beat);
  if (held) log.error({ event: 'publishing_held', reason: held }, 'Publishing is held: run `millrace restore-check`');
}

/** Without open publications nothing can be sent twice, so no hold is needed. */
async function holdPublishing(db: Db, { reason, label, backupAt, now }: NewHold): Promise<boolean> {
  const open = await db.$count(publications, inArray(publications.status, [...OPEN_STATUSES]));
  if (open === 0 && label === undefined) return false;
  // Results from before a second restore may be outdated.
  await db.execute(sql`DELETE FROM ${restoreCheckResults} WHERE hold_id IN (
    SELECT id FROM ${publishingHolds} WHERE released_at IS NULL)`);
  const [at, releasedAt] = [now.toISOString(), open ? null : now.toISOString()];
  await db.execute(sql`
    INSERT INTO ${publishingHolds} AS held (reason, label, backup_at, held_at, released_at)
    VALUES (${reason}, ${label ?? null}, ${backupAt.toISOString()}, ${at}, ${releasedAt})
    ON CONFLICT ((released_at IS NULL)) WHERE released_at IS NULL DO UPDATE SET reason = excluded.reason,
      backup_at = least(held.backup_at, excluded.backup_at), label = coalesce(excluded.label, held.label),
      held_at = excluded.held_at`);
  return open > 0;
}

async function isKnownLabel(db: Db, label: string): Promise<boolean> {
  return (await db.$count(publishingHolds, eq(publishingHolds.label, label))) > 0;
}
