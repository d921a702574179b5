import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { EventLoopMonitor } from '../../platform/process/event-loop-monitor.js';
import { MemoryGuard } from '../../platform/process/memory-guard.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { type ProcessReport, WorkersStore } from './workers.store.js';

const INTERVAL_MS = 5_000;
const MAX_INTEGER = 2_147_483_647;

type Measured = Pick<ProcessReport, 'skewMs' | 'isMemoryLow' | 'heapPercent' | 'maxStallMs'>;

@Injectable()
export class ProcessReports implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly workers: WorkersStore,
    private readonly memory: MemoryGuard,
    private readonly eventLoop: EventLoopMonitor,
  ) {}

  onApplicationBootstrap() {
    this.reportNow();
    this.timer = setInterval(() => this.reportNow(), INTERVAL_MS).unref();
    this.memory.onChange(() => this.reportNow());
  }

  async beforeApplicationShutdown() {
    clearInterval(this.timer);
    this.isStopping = true;
    await this.reporting;
    await this.workers
      .removeReport(this.id)
      .catch((err) =>
        this.log.debug({ event: 'process_report_not_removed', err }, 'The report of this process is left behind'),
      );
  }

  private reportNow(): void {
    this.reporting = this.report().catch((err) =>
      this.log.debug({ event: 'process_not_reported', err }, 'The state of this process could not be reported'),
    );
  }

  async report(measured: Partial<Measured> = {}): Promise<void> {
    if (this.isStopping) return;
    const { skewMs, maxStallMs, isMemoryLow, heapPercent } = { ...this.measure(), ...measured };
    await this.workers.report(this.id, {
      host: hostname(),
      pid: process.pid,
      roles: [...this.config.roles],
      skewMs: toInteger(skewMs),
      maxStallMs: toInteger(maxStallMs),
      isMemoryLow,
      heapPercent,
    });
  }

  private measure(): Measured {
    return {
      skewMs: databaseTime.skewMs(),
      isMemoryLow: this.memory.isLow,
      heapPercent: Math.round(this.memory.heapPercent),
      maxStallMs: Math.round(this.eventLoop.maxStallMs()),
    };
  }
}

const toInteger = (ms: number) => Math.max(-MAX_INTEGER, Math.min(MAX_INTEGER, ms));
