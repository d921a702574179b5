import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { noticeOf } from './alert-notice.js';
import { AlertNoticesStore } from './alert-notices.store.js';
import { alerts } from './alerts.table.js';

/** An alert is over if no process has seen it for this long. One that returns sooner continues. */
const OVER_AFTER = sql`interval '30 seconds'`;

const keyOf = ({ code, subject }: FoundAlert) => (subject === undefined ? code : `${code} ${subject}`);

interface KnownAlert {
  key: string;
  since: Date;
  /** Null if an earlier version wrote it. */
  alert: FoundAlert | null;
  /** Set if the alert is over. */
  clearedAt?: Date | undefined;
}

/** Alerts that began or ended in one round. */
interface Changes {
  begun: KnownAlert[];
  over: KnownAlert[];
}

/** Records since when alerts have existed, for all processes. */
@Injectable()
export class AlertsStore {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly notices: AlertNoticesStore,
  ) {}

  /** Records all current alerts. Returns since when each exists, in the same order. */
  async seen(found: FoundAlert[]): Promise<Date[]> {
    const { since, ...changes } = await this.database.transaction((db) => this.record(db, found));
    this.tellLog(changes);
    return found.map((alert) => since.get(keyOf(alert)) ?? databaseTime.now());
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
    await this.notices.add(db, [...over, ...begun].flatMap(toNotice));
  }

  private tellLog({ begun, over }: Changes): void {
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
    SELECT key, since, alert, CASE WHEN seen_at < now() - ${OVER_AFTER} THEN now() END AS "clearedAt"
    FROM ${alerts} ORDER BY key FOR UPDATE`);
  return rows.map(({ key, since, alert, clearedAt }) => ({
    key,
    alert,
    since: new Date(since),
    ...(clearedAt && { clearedAt: new Date(clearedAt) }),
  }));
}

type Row = Pick<KnownAlert, 'key' | 'alert'> & { since: string | Date; clearedAt: string | Date | null };
