import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import type { Publication } from '../publications/publications.table.js';
import { PublishScheduler } from './publish-scheduler.js';

/** Beyond it the scheduler sees it by itself. */
const SOON_MS = 1_000;

/** After something was stored that is due: hands it to workers at once. Nobody waits for it, and the scheduler makes up for it. */
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
    this.scheduler.run().catch((err) => this.log.warn({ err }, 'publications are left to the scheduler'));
  }
}
