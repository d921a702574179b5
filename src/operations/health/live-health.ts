import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventStream } from '../../platform/api/event-stream.js';
import { ApiError, tooMany } from '../../platform/errors/api-error.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Health } from './health.js';
import type { HealthReport } from './health-report.js';

const LOOK_INTERVAL_MS = 2_000;
/** A watcher receives an event at least this often, in milliseconds, even without a change. */
const MAX_SILENCE_MS = 5_000;
/**
 * Maximum lifetime of a stream in milliseconds. Permissions are checked when a stream begins, so it ends and its
 * client reconnects.
 */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS = 100;

interface Watcher {
  stream: EventStream;
  sent?: { text: string; atMs: number };
}

/** Streams the state of the system. It is computed only while somebody watches. */
@Injectable()
export class LiveHealth implements OnModuleDestroy {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly health: Health,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.timer);
    for (const { stream } of this.watchers) stream.end();
  }

  /** Throws before anything is sent. */
  admit(): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    if (this.watchers.size >= MAX_STREAMS)
      throw tooMany(`${MAX_STREAMS} streams are open already; close one of them.`, MAX_SILENCE_MS);
  }

  /** Starts the stream with the current state. */
  open(stream: EventStream): void {
    const watcher: Watcher = { stream };
    this.watchers.add(watcher);
    this.timer ??= setInterval(() => void this.notify([...this.watchers]), LOOK_INTERVAL_MS).unref();
    const end = setTimeout(() => stream.end(), MAX_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      this.watchers.delete(watcher);
      if (this.watchers.size) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    void this.notify([watcher]);
  }

  private async notify(watchers: Watcher[]): Promise<void> {
    try {
      const report = await this.health.read();
      const text = withoutTime(report);
      const atMs = performance.now();
      for (const watcher of watchers) {
        const { sent, stream } = watcher;
        if (sent && sent.text === text && atMs - sent.atMs < MAX_SILENCE_MS - LOOK_INTERVAL_MS) continue;
        watcher.sent = { text, atMs };
        stream.send({ event: 'health', data: report });
      }
    } catch (err) {
      this.log.warn({ event: 'live_update_failed', view: 'health', err }, 'A live update could not be sent');
    }
  }
}

const withoutTime = ({ checkedAt: _, ...report }: HealthReport) => JSON.stringify(report);
