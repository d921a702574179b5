import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { limitedHostOf } from '../../platform/hosts/host-of.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { Periodic } from '../../platform/time/periodic.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { importHosts } from './import-feeds.table.js';

/** Returns the host that serves a page. Types without URLs are limited by their type name. */
export function hostOfPage(
  { type, externalId }: SourceIdentity,
  cursor: string | null,
  named: ReadonlyMap<string, number>,
): string {
  const address = [cursor, externalId].find((text) => text && /^https?:/i.test(text) && canParseUrl(text));
  return address ? limitedHostOf(new URL(address), named) : type;
}

/**
 * A slot is reserved at most this long in advance, and the worker waits for it (seconds). For a later slot the job is
 * postponed.
 */
const MAX_WAIT_SECONDS = 1;
/** Maximum delay of a postponed job (seconds), because jobs before it may have been cancelled. */
const MAX_AWAY_SECONDS = 600;
const FORGET_INTERVAL_MS = 3_600_000;

/**
 * Limits imports to `MILLRACE_IMPORT_RATE` requests per second and host, evenly spaced, over all processes. A
 * postponed job reserves no slot, so the thousand feeds of one user at a host do not block other users.
 */
@Injectable()
export class HostSlots implements OnApplicationBootstrap {
  private readonly spacingSeconds: number;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {
    this.spacingSeconds = 1 / config.importRate;
  }

  onApplicationBootstrap() {
    this.periodic.every(FORGET_INTERVAL_MS, 'forget hosts of imports', () => this.forgetOld());
  }

  hostOf(source: SourceIdentity, cursor: string | null): string {
    return hostOfPage(source, cursor, this.config.hostLimits);
  }

  /** Waits for the next slot if it is near. Otherwise returns when to try again. */
  async take(host: string, signal: AbortSignal): Promise<Date | undefined> {
    const slot = (await this.next(host)) ?? (await this.first(host));
    if (slot.isTaken) {
      await sleep(Math.max(0, slot.ms), undefined, { signal });
      return undefined;
    }
    return new Date(databaseTime.nowMs() + slot.ms);
  }

  private async next(host: string): Promise<Slot | undefined> {
    const spacing = sql`make_interval(secs => ${this.spacingSeconds})`;
    const isTaken = sql`old.next_at <= old.at + make_interval(secs => ${MAX_WAIT_SECONDS})`;
    const { rows } = await this.database.db.execute<Slot>(sql`
      UPDATE ${importHosts} AS kept SET
        next_at = CASE WHEN ${isTaken} THEN greatest(old.next_at, old.at) + ${spacing} ELSE old.next_at END,
        return_at = CASE WHEN ${isTaken} THEN old.return_at
          ELSE greatest(old.next_at, least(coalesce(old.return_at + ${spacing}, old.next_at), old.at + make_interval(secs => ${MAX_AWAY_SECONDS}))) END
      FROM (SELECT *, clock_timestamp() AS at FROM ${importHosts} WHERE host = ${host} FOR UPDATE) AS old
      WHERE kept.host = old.host
      RETURNING ${isTaken} AS "isTaken",
        date_part('epoch', CASE WHEN ${isTaken} THEN old.next_at ELSE kept.return_at END - old.at) * 1000 AS ms`);
    return rows[0];
  }

  /** If two processes are first to use a host, one waits for the other. */
  private async first(host: string): Promise<Slot> {
    const { rowCount } = await this.database.db.execute(sql`
      INSERT INTO ${importHosts} (host, next_at)
      VALUES (${host}, clock_timestamp() + make_interval(secs => ${this.spacingSeconds})) ON CONFLICT DO NOTHING`);
    const now = { isTaken: true, ms: 0 };
    return rowCount ? now : ((await this.next(host)) ?? now);
  }

  /** Deletes hosts that were not used within the last hour. */
  async forgetOld(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${importHosts} WHERE next_at < now() - interval '1 hour'`);
  }
}

interface Slot extends Record<string, unknown> {
  isTaken: boolean;
  /** Milliseconds until the slot, or until the next try. */
  ms: number;
}
