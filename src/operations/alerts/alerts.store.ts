import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { AlertNotices } from './alert-notices.js';
import { addNotices } from './alert-notices.store.js';
import { noticeOf } from './alert-webhook.js';
import { alerts } from './alerts.table.js';

/** An alert is over if no process has seen it for this long. One that returns sooner continues. */
const OVER_AFTER_MS = 30_000;

const keyOf = ({ code, subject }: FoundAlert) => (subject === undefined ? code : `${code} ${subject}`);

interface KnownAlert {
  key: string;
  since: Date;
  /** Null if an earlier version wrote it. */
  alert: FoundAlert | null;
  clearedAt?: Date | undefined;
}

interface Changes {
  begun: KnownAlert[];
  over: KnownAlert[];
}

@Injectable()
export class AlertsStore {
  /** The alert that PostgreSQL is away, which cannot be stored there. */
  private unstored: { alert: FoundAlert; since: Date; seenAtMs: number } | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly notices: AlertNotices,
  ) {}

  /** Records all current alerts. Returns since when each exists, in the same order. */
  async seen(found: FoundAlert[]): Promise<Date[]> {
    const { since, ...changes } = await this.database.transaction((db) => this.record(db, found));
    this.logChanges(changes);
    return found.map((alert) => since.get(keyOf(alert)) ?? databaseTime.now());
  }

  get isDatabaseAway(): boolean {
    return this.unstored !== undefined;
  }

  /** Records in memory that PostgreSQL is away. Returns since when it has been. */
  databaseAway(alert: FoundAlert): Date {
    const now = this.clock.now();
    const since = this.unstored?.since ?? now;
    if (!this.unstored) {
      this.logChanges({ begun: [{ key: keyOf(alert), alert, since }], over: [] });
      this.notifyFromMemory(alert, { since });
    }
    this.unstored = { alert, since, seenAtMs: now.getTime() };
    return since;
  }

  databaseBack(): void {
    const now = this.clock.now();
    if (!this.unstored || now.getTime() - this.unstored.seenAtMs < OVER_AFTER_MS) return;
    const { alert, since } = this.unstored;
    this.unstored = undefined;
    this.logChanges({ begun: [], over: [{ key: keyOf(alert), alert, since }] });
    this.notifyFromMemory(alert, { since, clearedAt: now });
  }

  private notifyFromMemory(alert: FoundAlert, times: { since: Date; clearedAt?: Date }): void {
    const { roles, publicUrl } = this.config;
    if (roles.has('scheduler')) this.notices.addToMemory(noticeOf(alert, { ...times, publicUrl }));
  }

  private async record(db: Db, found: FoundAlert[]): Promise<Changes & { since: Map<string, Date> }> {
    const known = await lockAll(db);
    const over = known.filter(({ clearedAt }) => clearedAt);
    if (over.length)
      await db.execute(sql`DELETE FROM ${alerts} WHERE key = ANY(${sql.param(over.map(({ key }) => key))}::text[])`);
    const there = await this.upsert(db, found);
    const severities = new Map(
      known.filter(({ clearedAt }) => !clearedAt).map(({ key, alert }) => [key, alert?.severity]),
    );
    const isWorse = ({ key, alert }: KnownAlert) => severities.get(key) === 'warning' && alert?.severity === 'critical';
    const changes = { begun: there.filter((alert) => alert.isNew || isWorse(alert)), over };
    await this.storeNotices(db, changes);
    return { ...changes, since: new Map(there.map(({ key, since }) => [key, since])) };
  }

  /** All processes write in the order of the keys, which prevents deadlocks. */
  private async upsert(db: Db, found: FoundAlert[]): Promise<(KnownAlert & { isNew: boolean })[]> {
    if (!found.length) return [];
    const { rows } = await db.execute<{ key: string; since: string | Date; isNew: boolean }>(sql`
      INSERT INTO ${alerts} (key, alert) SELECT key, alert::jsonb FROM unnest(
        ${sql.param(found.map(keyOf))}::text[], ${sql.param(found.map((alert) => JSON.stringify(alert)))}::text[]
      ) AS found (key, alert) ORDER BY key
      ON CONFLICT (key) DO UPDATE SET seen_at = now(), alert = excluded.alert
      RETURNING key, since, xmax = 0 AS "isNew"`);
    const byKey = new Map(found.map((alert) => [keyOf(alert), alert]));
    return rows.map((row) => ({ ...row, since: new Date(row.since), alert: byKey.get(row.key) ?? null }));
  }

  /** Stores the notices in the same transaction, so they are sent whatever becomes of this process. */
  private async storeNotices(db: Db, { begun, over }: Changes): Promise<void> {
    const { alertWebhook, publicUrl } = this.config;
    if (!alertWebhook) return;
    const toNotice = ({ key, since, alert, clearedAt }: KnownAlert) =>
      alert ? [{ key, body: noticeOf(alert, { since, clearedAt, publicUrl }) }] : [];
    await addNotices(db, [...over, ...begun].flatMap(toNotice));
  }

  private logChanges({ begun, over }: Changes): void {
    for (const { key } of over) this.log.info({ event: 'alert_over', alert: key }, 'An alert is over');
    for (const { alert } of begun) {
      if (!alert) continue;
      const { code, subject, severity, message } = alert;
      this.log.warn({ event: 'alert_begun', alert: { code, subject, severity } }, message);
    }
  }
}

async function lockAll(db: Db): Promise<KnownAlert[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT key, since, alert, CASE WHEN seen_at < now() - make_interval(secs => ${OVER_AFTER_MS / 1_000}) THEN now() END AS "clearedAt"
    FROM ${alerts} ORDER BY key FOR UPDATE`);
  return rows.map(({ key, since, alert, clearedAt }) => ({
    key,
    alert,
    since: new Date(since),
    ...(clearedAt && { clearedAt: new Date(clearedAt) }),
  }));
}

type Row = Pick<KnownAlert, 'key' | 'alert'> & { since: string | Date; clearedAt: string | Date | null };
