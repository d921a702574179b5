import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventStream } from '../../platform/api/event-stream.js';
import { ApiError, tooMany } from '../../platform/errors/api-error.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Health } from './health.js';
import type { HealthReport } from './health-report.js';

const LOOK_INTERVAL_MS = 2_000;
/** A watcher hears at least this often, changed or not. */
const MAX_SILENCE_MS = 5_000;
/** Whoever may watch is checked when a stream begins: so it ends now and then, and its client comes back. */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS = 100;

interface Watcher {
  stream: EventStream;
  told?: { text: string; atMs: number };
}

/** Tells watchers how Millrace is. It is looked at only while somebody watches. */
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

  /** Refuses before anything is sent. */
  admit(): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    if (this.watchers.size >= MAX_STREAMS)
      throw tooMany(`${MAX_STREAMS} streams are open already; close one of them.`, MAX_SILENCE_MS);
  }

  /** Begins with how it is now. */
  open(stream: EventStream): void {
    const watcher: Watcher = { stream };
    this.watchers.add(watcher);
    this.timer ??= setInterval(() => void this.tell([...this.watchers]), LOOK_INTERVAL_MS).unref();
    const end = setTimeout(() => stream.end(), MAX_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      this.watchers.delete(watcher);
      if (this.watchers.size) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    void this.tell([watcher]);
  }

  private async tell(watchers: Watcher[]): Promise<void> {
    try {
      const report = await this.health.read();
      const text = withoutTime(report);
      const atMs = performance.now();
      for (const watcher of watchers) {
        const { told, stream } = watcher;
        if (told && told.text === text && atMs - told.atMs < MAX_SILENCE_MS - LOOK_INTERVAL_MS) continue;
        watcher.told = { text, atMs };
        stream.send({ event: 'health', data: report });
      }
    } catch (err) {
      this.log.warn({ err }, 'watchers could not be told how Millrace is');
    }
  }
}

const withoutTime = ({ checkedAt: _, ...report }: HealthReport) => JSON.stringify(report);
