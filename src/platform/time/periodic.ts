import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { noteExhausted } from '../database/exhausted.js';
import { LOG, type Log } from '../log/log.js';

/** Runs periodic work. The work must tolerate being done by several processes. */
@Injectable()
export class Periodic implements OnModuleDestroy {
  private readonly stop = new AbortController();
  private readonly loops: Promise<void>[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {
    // Each loop adds a listener, and Node.js reports more than ten listeners as a leak.
    setMaxListeners(0, this.stop.signal);
  }

  every(ms: number, name: string, work: () => Promise<unknown>): void {
    if (this.config.roles.has('scheduler')) this.everyHere(ms, name, work);
  }

  everyHere(ms: number, name: string, work: () => Promise<unknown>): void {
    this.loops.push(this.loop(ms, name, work));
  }

  private async loop(ms: number, name: string, work: () => Promise<unknown>): Promise<void> {
    while (!this.stop.signal.aborted) {
      try {
        await work();
      } catch (error) {
        noteExhausted(error);
        this.log.error({ event: 'periodic_work_failed', work: name, err: error }, 'periodic work failed');
      }
      await sleep(ms, undefined, { signal: this.stop.signal }).catch(() => undefined);
    }
  }

  async onModuleDestroy() {
    this.stop.abort();
    await Promise.all(this.loops);
  }
}
