import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { tooMany } from '../auth/request-limits.js';
import type { EventStream } from '../platform/api/event-stream.js';
import { ApiError } from '../platform/errors/api-error.js';
import { Events } from '../platform/events/events.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { scrapeJobChanged } from './scrape-job-changed.event.js';
import { isEnded } from './scrape-job-status.js';
import { toScrapeJobView } from './scrape-job-view.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';

const BEAT_MS = 15_000;
/** Whoever may watch is checked when a stream begins: so it ends now and then, and its client comes back. */
const LONGEST_MS = 30 * 60_000;
const MOST_STREAMS_OF_A_USER = 20;
/** Leads come many at a time; a watcher is told of the newest state, not of every step. */
const PAUSE_MS = 200;
const TROUBLE_PAUSE_MS = 2_000;

/** Tells watchers how a job gets on, until it has ended. A job is read once for all who watch it. */
@Injectable()
export class LiveScrapeJobs implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Map<string, Set<EventStream>>();
  private readonly streamsOf = new Map<string, number>();
  private readonly telling = new Set<string>();
  private beats: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly events: Events,
    private readonly jobs: ScrapeJobsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.subscribe(scrapeJobChanged, ({ scrapeJobId }) => this.tellSoon(scrapeJobId));
    // What changed meanwhile is not known.
    this.events.onReconnect(() => {
      for (const scrapeJobId of this.watchers.keys()) this.tellSoon(scrapeJobId);
    });
    this.beats = setInterval(() => {
      for (const streams of this.watchers.values()) for (const stream of streams) stream.beat();
    }, BEAT_MS).unref();
  }

  onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.beats);
    for (const streams of this.watchers.values()) for (const stream of streams) stream.end();
  }

  /** Refuses before anything is sent. */
  admit(userId: string): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    if ((this.streamsOf.get(userId) ?? 0) < MOST_STREAMS_OF_A_USER) return;
    throw tooMany(`You may watch ${MOST_STREAMS_OF_A_USER} jobs at a time.`, BEAT_MS);
  }

  /** Begins with how the job is now. */
  open({ scrapeJobId, userId }: { scrapeJobId: string; userId: string }, stream: EventStream): void {
    this.streamsOf.set(userId, (this.streamsOf.get(userId) ?? 0) + 1);
    const streams = this.watchers.get(scrapeJobId) ?? new Set();
    this.watchers.set(scrapeJobId, streams.add(stream));
    const end = setTimeout(() => stream.end(), LONGEST_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      this.left(userId);
      streams.delete(stream);
      if (!streams.size && this.watchers.get(scrapeJobId) === streams) this.watchers.delete(scrapeJobId);
    });
    this.tellSoon(scrapeJobId, 0);
  }

  private left(userId: string): void {
    const open = (this.streamsOf.get(userId) ?? 1) - 1;
    if (open) this.streamsOf.set(userId, open);
    else this.streamsOf.delete(userId);
  }

  private tellSoon(scrapeJobId: string, afterMs = PAUSE_MS): void {
    if (!this.watchers.has(scrapeJobId) || this.telling.has(scrapeJobId)) return;
    this.telling.add(scrapeJobId);
    setTimeout(() => {
      this.telling.delete(scrapeJobId);
      this.tell(scrapeJobId).catch((err) => {
        this.log.warn({ err, scrapeJobId }, 'watchers could not be told of a job');
        this.tellSoon(scrapeJobId, TROUBLE_PAUSE_MS);
      });
    }, afterMs).unref();
  }

  private async tell(scrapeJobId: string): Promise<void> {
    const job = await this.jobs.load(scrapeJobId);
    const view = job && toScrapeJobView(job);
    for (const stream of this.watchers.get(scrapeJobId) ?? []) {
      if (view) stream.send({ event: 'job', data: view });
      if (!job || isEnded(job.status)) stream.end();
    }
  }
}
