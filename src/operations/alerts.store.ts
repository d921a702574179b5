import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import type { FoundAlert } from '../platform/health/health-sections.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { alerts } from './alerts.table.js';

/** An alert that nobody has seen for so long is over; one that comes back sooner goes on. */
const OVER_AFTER = sql`interval '30 seconds'`;

const keyOf = ({ code, subject }: FoundAlert) => (subject === undefined ? code : `${code} ${subject}`);

/** Remembers since when alerts have been there, for all processes. */
@Injectable()
export class AlertsStore {
  constructor(
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** All that there are now. Returns since when, in the same order. */
  async seen(found: FoundAlert[]): Promise<Date[]> {
    await this.endOthers();
    if (!found.length) return [];
    // Always in the order of the keys, so that two processes do not wait for each other.
    const { rows } = await this.database.db.execute<{ key: string; since: string | Date; isNew: boolean }>(sql`
      INSERT INTO ${alerts} (key) SELECT key FROM unnest(${sql.param(found.map(keyOf))}::text[]) AS key ORDER BY key
      ON CONFLICT (key) DO UPDATE SET seen_at = now() RETURNING key, since, xmax = 0 AS "isNew"`);
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return found.map((alert) => {
      const row = byKey.get(keyOf(alert));
      const { code, subject, severity, message } = alert;
      if (row?.isNew) this.log.warn({ alert: { code, subject, severity } }, message);
      return new Date(row?.since ?? Date.now());
    });
  }

  private async endOthers(): Promise<void> {
    const { rows } = await this.database.db.execute<{ key: string }>(sql`
      DELETE FROM ${alerts} WHERE key IN (
        SELECT key FROM ${alerts} WHERE seen_at < now() - ${OVER_AFTER} ORDER BY key FOR UPDATE
      ) RETURNING key`);
    for (const { key } of rows) this.log.info({ alert: key }, 'an alert is over');
  }
}
