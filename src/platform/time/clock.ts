import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '../database/database.js';
import { LOG, type Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { databaseTime } from './database-time.js';
import { Periodic } from './periodic.js';

@Injectable()
export class Clock {
  now(): Date {
    return databaseTime.now();
  }
}

const INTERVAL_MS = 5_000;
const FIRST_READINGS = 5;

export const SYNCHRONISED_CLOCK = {
  provide: Clock,
  inject: [Database],
  useFactory: async ({ pool }: Database) => {
    for (let reading = 0; reading < FIRST_READINGS; reading++) await readDatabaseClock(pool);
    return new Clock();
  },
};

@Injectable()
export class ClockSynchronisation implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly periodic: Periodic,
    @Inject(LOG) private readonly log: Log,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'clock_skew_seconds',
      help: "How far the clock of this process's machine is ahead of PostgreSQL's; negative if it is behind.",
      read: () => [{ value: databaseTime.skewMs() / 1_000 }],
    });
  }

  onApplicationBootstrap() {
    this.periodic.everyHere(INTERVAL_MS, 'clock synchronisation', () =>
      readDatabaseClock(this.database.pool).catch((err) =>
        this.log.debug({ event: 'clock_not_read', err }, 'The clock of the database could not be read'),
      ),
    );
  }
}

/** The wait for a free connection is not part of the round trip. */
async function readDatabaseClock(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let error: Error | undefined;
  try {
    const sentMs = performance.now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT 1000 * extract(epoch FROM clock_timestamp())::float8 AS ms',
    );
    const receivedMs = performance.now();
    for (const { ms } of rows) databaseTime.synchronise({ databaseMs: ms, sentMs, receivedMs });
  } catch (caught) {
    error = caught as Error;
    throw caught;
  } finally {
    client.release(error);
  }
}
