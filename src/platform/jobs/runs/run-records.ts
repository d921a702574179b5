import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { JobStatistics } from '../job-statistics.js';
import type { EndedRun } from './ended-run.js';
import { RunHistory } from './run-history.js';
import { RunMetrics } from './run-metrics.js';

const STORE_INTERVAL_MS = 3_000;

/** Runs stay in memory for a few seconds before they are stored. A process that is killed loses them. */
@Injectable()
export class RunRecords implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly statistics: JobStatistics,
    private readonly metrics: RunMetrics,
    private readonly history: RunHistory,
  ) {}

  onApplicationBootstrap() {
    this.timer = setInterval(() => void this.store(), STORE_INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** The last runs have ended at this point of the shutdown. */
  async beforeApplicationShutdown() {
    await this.store();
  }

  add(run: EndedRun): void {
    this.statistics.count(run);
    this.metrics.count(run);
    this.history.add(run);
  }

  private store(): Promise<unknown> {
    this.storing = this.storing.then(() => Promise.all([this.statistics.store(), this.history.store()]));
    return this.storing;
  }
}
