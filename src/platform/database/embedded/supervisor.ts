import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log/log.js';
import { bringUp, type RunningServer } from './bring-up.js';
import type { ClusterServer } from './cluster-server.js';

const CHECK_INTERVAL_MS = 500;
const MAX_WAIT_MS = 5_000;

export class Supervisor {
  private readonly ended = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly server: ClusterServer,
    running: RunningServer,
    private readonly log: Log,
  ) {
    this.watching = this.watch(running);
  }

  async end(): Promise<void> {
    this.ended.abort();
    await this.watching;
  }

  /** Processes of a killed server may linger for seconds, and a disk may be full for days, so retries never end. */
  private async watch({ pid, port }: RunningServer): Promise<void> {
    let watched = pid;
    let wait = CHECK_INTERVAL_MS;
    let isAway = false;
    while (await this.isOnAfter(wait)) {
      try {
        if (await this.server.isStillReady(watched)) continue;
        if (!isAway)
          this.log.error({ event: 'embedded_postgresql_stopped', port }, 'PostgreSQL has stopped, starting it again');
        isAway = true;
        watched = (await bringUp(this.server, { port, portMayChange: false })).pid;
        this.log.info({ event: 'embedded_postgresql_started', port }, 'PostgreSQL is back');
        isAway = false;
        wait = CHECK_INTERVAL_MS;
      } catch (error) {
        // Further attempts during the same outage fail for the same reason.
        this.log[wait === CHECK_INTERVAL_MS ? 'error' : 'debug'](
          { event: 'embedded_postgresql_start_failed', port, reason: (error as Error).message },
          'PostgreSQL does not start, trying again',
        );
        wait = Math.min(wait * 2, MAX_WAIT_MS);
      }
    }
  }

  private async isOnAfter(ms: number): Promise<boolean> {
    try {
      await sleep(ms, undefined, { ref: false, signal: this.ended.signal });
    } catch {
      // The sleep was aborted by `end`.
    }
    return !this.ended.signal.aborted;
  }
}
