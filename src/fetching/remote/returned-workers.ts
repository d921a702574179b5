import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { fetchQueue } from '../../contracts/queues.js';
import { WorkerPresence } from '../../platform/broker/worker-presence.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { SourceCatalogue } from '../source-catalogue.js';

const INTERVAL_MS = 5_000;
const BATCH = 1_000;

@Injectable()
export class ReturnedWorkers implements OnApplicationBootstrap {
  constructor(
    private readonly presence: WorkerPresence,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly catalogue: SourceCatalogue,
  ) {}

  onApplicationBootstrap() {
    if (this.presence.isConfigured) this.periodic.every(INTERVAL_MS, 'returned workers', () => this.run());
  }

  async run(): Promise<void> {
    for (const { type, remote } of this.catalogue.fetchers) {
      if (remote && (await this.anyWaits(type)) && (await this.presence.isThere(fetchQueue(type))))
        await this.wake(type);
    }
  }

  private async anyWaits(type: string): Promise<boolean> {
    const found = await this.database.db.select({ id: fetchStates.id }).from(fetchStates).where(waits(type)).limit(1);
    return found.length > 0;
  }

  private async wake(type: string): Promise<void> {
    const nextFetchAt = sql`greatest(${this.clock.now()}, ${fetchStates.notBefore})`;
    const awake = { waitsForWorker: false, lastError: null, nextFetchAt };
    for (let woken = BATCH; woken === BATCH; ) {
      woken = await this.database.transaction(async (db) => {
        // Rows are locked in the order of their ids, as everywhere. Locked rows are left to their owner.
        const waiting = await db
          .select({ id: fetchStates.id })
          .from(fetchStates)
          .where(waits(type))
          .orderBy(fetchStates.id)
          .limit(BATCH)
          .for('update', { skipLocked: true });
        const ids = waiting.map(({ id }) => id);
        if (ids.length) await db.update(fetchStates).set(awake).where(inArray(fetchStates.id, ids));
        return ids.length;
      });
    }
  }
}

/** Sources without active followers have no next fetch and are not woken. */
const waits = (type: string) =>
  and(eq(fetchStates.type, type), fetchStates.waitsForWorker, isNotNull(fetchStates.nextFetchAt));
