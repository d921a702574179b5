import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { canParseUrl } from '../platform/can-parse-url.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Database } from '../platform/database/database.js';
import { databaseTime } from '../platform/database-time.js';
import { limitedHostOf } from '../platform/http/host-of.js';
import { Periodic } from '../platform/periodic.js';
import type { SourceIdentity } from '../sources/source-types.js';
import { importHosts } from './import-hosts.table.js';

/** By whom a page is served, as far as can be told: other types than feeds have an address of their API. */
export function hostOfPage(
  { type, externalId }: SourceIdentity,
  cursor: string | null,
  named: ReadonlyMap<string, number>,
): string {
  const address = [cursor, externalId].find((text) => text && /^https?:/i.test(text) && canParseUrl(text));
  return address ? limitedHostOf(new URL(address), named) : type;
}

/** So long a worker waits for its turn; for a later one the feed goes back to the queue. */
const PATIENCE_MS = 1_000;
const FORGET_EVERY_MS = 3_600_000;

/** Lets imports begin so many requests a second to each host, evenly spaced, over all processes. */
@Injectable()
export class HostTurns implements OnApplicationBootstrap {
  private readonly spacingSeconds: number;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {
    this.spacingSeconds = 1 / config.importRate;
  }

  onApplicationBootstrap() {
    this.periodic.every(FORGET_EVERY_MS, 'forget hosts of imports', () => this.forgetOld());
  }

  hostOf(source: SourceIdentity, cursor: string | null): string {
    return hostOfPage(source, cursor, this.config.hostLimits);
  }

  /** Waits for the next turn, if it comes soon. Else returns when it comes: it is kept for whoever is told. */
  async take(host: string, signal: AbortSignal): Promise<Date | undefined> {
    const { rows } = await this.database.db.execute<{ ms: number }>(sql`
      INSERT INTO ${importHosts} AS kept (host, next_at)
      VALUES (${host}, clock_timestamp() + make_interval(secs => ${this.spacingSeconds}))
      ON CONFLICT (host) DO UPDATE SET
        next_at = greatest(kept.next_at, clock_timestamp()) + make_interval(secs => ${this.spacingSeconds})
      RETURNING date_part('epoch', next_at - clock_timestamp()) * 1000 - ${this.spacingSeconds * 1_000}::float8 AS ms`);
    const ms = Math.max(0, rows[0]?.ms ?? 0);
    if (ms > PATIENCE_MS) return new Date(databaseTime.nowMs() + ms);
    await sleep(ms, undefined, { signal });
    return undefined;
  }

  /** Hosts that nobody has asked lately. */
  async forgetOld(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${importHosts} WHERE next_at < now() - interval '1 hour'`);
  }
}
