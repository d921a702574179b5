import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { EventStream } from '../../platform/api/event-stream.js';
import { ApiError, tooMany } from '../../platform/errors/api-error.js';
import { Events } from '../../platform/events/events.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { publicationChanged } from './publication-changed.event.js';
import { PublicationViews } from './publication-views.js';
import { PublicationsStore } from './publications.store.js';

const BEAT_MS = 15_000;
/** Whoever may watch is checked when a stream begins: so it ends now and then, and its client comes back. */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS_OF_A_USER = 20;
/** Changes come many at a time; a watcher is told of the newest state, not of every step. */
const PAUSE_MS = 200;
const BATCH_SIZE = 100;
/** Beyond it the client reads anew. */
const MAX_PENDING = 1_000;

/** Tells users how their publications get on. However many streams are open, each change is read once. */
@Injectable()
export class LivePublications implements OnModuleInit, OnModuleDestroy {
  private readonly streams = new Map<string, Set<EventStream>>();
  /** What has changed and was not told yet, and whose it is. */
  private pending = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private beats: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly events: Events,
    private readonly store: PublicationsStore,
    private readonly views: PublicationViews,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.subscribe(publicationChanged, ({ publicationId, userId }) => {
      if (!this.streams.has(userId)) return;
      this.pending.set(publicationId, userId);
      this.tellSoon();
    });
    // What changed meanwhile is not known.
    this.events.onReconnect(() => this.reset());
    this.beats = setInterval(() => {
      for (const stream of this.all()) stream.beat();
    }, BEAT_MS).unref();
  }

  onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.beats);
    clearTimeout(this.timer);
    for (const stream of this.all()) stream.end();
  }

  /** Refuses before anything is sent. */
  admit(userId: string): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    if ((this.streams.get(userId)?.size ?? 0) < MAX_STREAMS_OF_A_USER) return;
    throw tooMany(`You may have ${MAX_STREAMS_OF_A_USER} streams open at a time.`, BEAT_MS);
  }

  open(userId: string, stream: EventStream): void {
    const streams = this.streams.get(userId) ?? new Set();
    this.streams.set(userId, streams.add(stream));
    const end = setTimeout(() => stream.end(), MAX_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      streams.delete(stream);
      if (!streams.size && this.streams.get(userId) === streams) this.streams.delete(userId);
    });
    // Who reads the list from now on misses nothing.
    stream.send({ event: 'reset', data: {} });
  }

  private tellSoon(): void {
    if (this.pending.size > MAX_PENDING) this.reset();
    if (!this.pending.size || this.stopped) return;
    this.timer ??= setTimeout(() => void this.tell(), PAUSE_MS).unref();
  }

  /** One reading after another, so that nobody is told something older than they know. */
  private async tell(): Promise<void> {
    const ids = [...this.pending.keys()].slice(0, BATCH_SIZE);
    try {
      for (const id of ids) this.pending.delete(id);
      const publications = await this.store.findAll(ids);
      const views = await this.views.all(publications);
      for (const [at, { userId }] of publications.entries()) {
        for (const stream of this.streams.get(userId) ?? []) stream.send({ event: 'publication', data: views[at] });
      }
    } catch (err) {
      this.log.warn({ err }, 'watchers could not be told of publications');
      this.reset();
    }
    this.timer = undefined;
    this.tellSoon();
  }

  private reset(): void {
    this.pending.clear();
    for (const stream of this.all()) stream.send({ event: 'reset', data: {} });
  }

  private all(): EventStream[] {
    return [...this.streams.values()].flatMap((streams) => [...streams]);
  }
}
