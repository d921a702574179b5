import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database } from '../../platform/database/database.js';
import { Leadership } from '../../platform/database/leadership.js';
import { Periodic } from '../../platform/time/periodic.js';
import { Recount } from './recount.js';
import { RequestPrices } from './request-prices.js';

/** Interval at which prices that cannot wait for the next recount are computed (ms). */
const URGENT_INTERVAL_MS = 10_000;

@Injectable()
export class RecountScheduler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly leadership: Leadership;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'recalcMs'>,
    database: Database,
    private readonly periodic: Periodic,
    private readonly recount: Recount,
    private readonly prices: RequestPrices,
  ) {
    this.leadership = new Leadership(database.url, ADVISORY_LOCKS.recount);
  }

  onApplicationBootstrap() {
    const { recalcMs } = this.config;
    this.periodic.every(recalcMs, 'recount', async () => {
      if (await this.leadership.isMine()) await this.recount.run();
    });
    this.periodic.every(Math.min(recalcMs, URGENT_INTERVAL_MS), 'prices that cannot wait', async () => {
      if (await this.leadership.isMine()) await this.prices.runIfNeeded();
    });
  }

  async onApplicationShutdown() {
    await this.leadership.stepDown();
  }
}
