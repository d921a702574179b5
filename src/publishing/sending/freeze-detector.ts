import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';

/** The signal aborts also when the process was frozen meanwhile, when the run is aborted and by `abort`. */
export interface Deadline {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  end(): void;
}

/** After a freeze, other processes may have taken over the jobs of this one. */
@Injectable()
export class FreezeDetector implements OnModuleDestroy {
  private readonly maxFreezeMs: number;
  private readonly timer: NodeJS.Timeout;
  private readonly watching = new Set<AbortController>();
  private last = performance.now();

  constructor(@Inject(CONFIG) { jobLockMs }: Pick<Config, 'jobLockMs'>) {
    this.maxFreezeMs = jobLockMs / 4;
    this.timer = setInterval(() => this.checkNow(), Math.max(10, jobLockMs / 40)).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** The caller must end the deadline. */
  startDeadline(timeoutMs: number, run: AbortSignal): Deadline {
    const controller = new AbortController();
    const onAbort = () => controller.abort(run.reason);
    if (run.aborted) onAbort();
    run.addEventListener('abort', onAbort);
    const timer = setTimeout(
      () => controller.abort(new DeadlineExceeded(`it took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    this.watching.add(controller);
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      end: () => {
        clearTimeout(timer);
        run.removeEventListener('abort', onAbort);
        this.watching.delete(controller);
      },
    };
  }

  /** Call this right before a request is sent, because a network callback may run before an overdue timer. */
  checkNow(): void {
    const now = performance.now();
    const stoodStill = now - this.last > this.maxFreezeMs;
    this.last = now;
    if (!stoodStill) return;
    for (const controller of this.watching)
      controller.abort(new DeadlineExceeded('the process stood still for too long'));
  }
}

/** The time for a call is over, so another process may have taken over the job. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}
