import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';

/**
 * Notices that this process stood still for so long that others may have taken over its jobs. Calls look themselves right
 * before they are sent: what waited for the network may run before an overdue timer.
 */
@Injectable()
export class FreezeDetector implements OnModuleDestroy {
  private readonly longestMs: number;
  private readonly timer: NodeJS.Timeout;
  private readonly watching = new Set<AbortController>();
  private last = performance.now();

  constructor(@Inject(CONFIG) { jobLockMs }: Pick<Config, 'jobLockMs'>) {
    this.longestMs = jobLockMs / 4;
    this.timer = setInterval(() => this.look(), Math.max(10, jobLockMs / 40)).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** Runs work with a signal that aborts when it takes longer, or when the process has stood still meanwhile. */
  async watch<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DeadlineExceeded(`it took longer than ${mostMs} ms`)), mostMs);
    this.watching.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.watching.delete(controller);
    }
  }

  /** Looks without waiting for the timer: for the last moment before a call. */
  look(): void {
    const now = performance.now();
    const stoodStill = now - this.last > this.longestMs;
    this.last = now;
    if (!stoodStill) return;
    for (const controller of this.watching)
      controller.abort(new DeadlineExceeded('the process stood still for too long'));
  }
}

/** Others may have taken over. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}
