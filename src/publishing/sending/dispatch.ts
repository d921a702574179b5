import { Inject, Injectable } from '@nestjs/common';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import type { Publication } from '../publications/publications.table.js';
import { PublishScheduler } from './publish-scheduler.js';

/** Publications that are due later than this (ms) are left to the scheduler's regular round. */
const SOON_MS = 1_000;

/**
 * Hands publications that are due to workers as soon as they are stored. Callers do not wait, and the scheduler makes
 * up for failures.
 */
@Injectable()
export class Dispatch {
  constructor(
    private readonly scheduler: PublishScheduler,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  soon(stored: Publication[]): void {
    const soon = this.clock.now().getTime() + SOON_MS;
    if (!stored.some(({ scheduledAt }) => scheduledAt.getTime() <= soon)) return;
    this.scheduler
      .run()
      .catch((err) =>
        this.log.warn(
          { event: 'dispatch_failed', err },
          'Could not hand out publications, leaving them to the scheduler',
        ),
      );
  }
}
