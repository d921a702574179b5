import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { isNotNull } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { hostLimits } from '../../platform/hosts/host-limits.table.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { INTERVAL_RULES, type LiveIntervalRules } from '../intervals/interval-rules.js';
import { pricesChanged } from './prices-changed.event.js';
import { requestBudget } from './request-budget.table.js';

@Injectable()
export class LivePrices implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(INTERVAL_RULES) private readonly rules: LiveIntervalRules,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  onModuleInit() {
    const readAgain = () =>
      void this.read().catch((err) => this.log.warn({ event: 'prices_read_failed', err }, 'Could not read prices'));
    this.events.subscribe(pricesChanged, readAgain);
    this.events.onReconnect(readAgain);
  }

  async onApplicationBootstrap() {
    await this.read();
  }

  async read(): Promise<void> {
    const { db } = this.database;
    const [budget] = await db.select({ price: requestBudget.price }).from(requestBudget);
    const { host, price } = hostLimits;
    const limited = await db.select({ host, price }).from(hostLimits).where(isNotNull(price));
    if (budget) this.rules.price = budget.price;
    this.rules.hostPrices = new Map(limited.map((one) => [one.host, one.price ?? 0]));
  }
}
