import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { ApiError, tooMany } from '../errors/api-error.js';
import type { EventDefinition, Events } from '../events/events.js';
import type { Log } from '../log/log.js';
import type { EventStream } from './event-stream.js';

const BEAT_MS = 15_000;
/** Whoever may watch is checked when a stream begins: so it ends now and then, and its client comes back. */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS_OF_A_USER = 20;
/** Changes come many at a time; a watcher is told of the newest state, not of every step. */
const PAUSE_MS = 200;
/** What takes long to read is read less often: the pause is so many times what the last reading took. */
const PAUSES_A_READING = 4;
const ERROR_DELAY_MS = 2_000;

interface Watched<Change> {
  /** What the event is called that shows it, and what several of it are called. */
  name: string;
  plural: string;
  changed: EventDefinition<Change>;
  idOf(change: Change): string;
}

/** Undefined if it is there no more. */
export type Shown = { view: unknown; ended: boolean } | undefined;

/** Tells watchers how something gets on, until it has ended. It is read once for all who watch it. */
export abstract class LiveViews<Change> implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Map<string, Set<EventStream>>();
  private readonly streamsOf = new Map<string, number>();
  /** What is going to be read, is just being read, or has changed while it is. */
  private readonly telling = new Map<string, 'due' | 'reading' | 'outdated'>();
  private beats: NodeJS.Timeout | undefined;
  private stopped = false;

  protected constructor(
    private readonly watched: Watched<Change>,
    private readonly events: Events,
    private readonly log: Log,
  ) {}

  protected abstract show(id: string): Promise<Shown>;

  onModuleInit() {
    this.events.subscribe(this.watched.changed, (change) => this.tellSoon(this.watched.idOf(change)));
    // What changed meanwhile is not known.
    this.events.onReconnect(() => {
      for (const id of this.watchers.keys()) this.tellSoon(id);
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
    if ((this.streamsOf.get(userId) ?? 0) < MAX_STREAMS_OF_A_USER) return;
    throw tooMany(`You may watch ${MAX_STREAMS_OF_A_USER} ${this.watched.plural} at a time.`, BEAT_MS);
  }

  /** Begins with how it is now. */
  open({ id, userId }: { id: string; userId: string }, stream: EventStream): void {
    this.streamsOf.set(userId, (this.streamsOf.get(userId) ?? 0) + 1);
    const streams = this.watchers.get(id) ?? new Set();
    this.watchers.set(id, streams.add(stream));
    const end = setTimeout(() => stream.end(), MAX_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      this.left(userId);
      streams.delete(stream);
      if (!streams.size && this.watchers.get(id) === streams) this.watchers.delete(id);
    });
    this.tellSoon(id, 0);
  }

  private left(userId: string): void {
    const open = (this.streamsOf.get(userId) ?? 1) - 1;
    if (open) this.streamsOf.set(userId, open);
    else this.streamsOf.delete(userId);
  }

  private tellSoon(id: string, afterMs = PAUSE_MS): void {
    const state = this.telling.get(id);
    if (!this.watchers.has(id) || state === 'due') return;
    // One reading after another, so that nobody is told something older than they know.
    this.telling.set(id, state ? 'outdated' : 'due');
    if (!state) setTimeout(() => void this.tell(id), afterMs).unref();
  }

  private async tell(id: string): Promise<void> {
    const begun = Date.now();
    this.telling.set(id, 'reading');
    const told = await this.tellNow(id);
    const state = this.telling.get(id);
    this.telling.delete(id);
    if (!told) this.tellSoon(id, ERROR_DELAY_MS);
    else if (state === 'outdated') this.tellSoon(id, Math.max(PAUSE_MS, PAUSES_A_READING * (Date.now() - begun)));
  }

  private async tellNow(id: string): Promise<boolean> {
    const { name } = this.watched;
    try {
      const shown = await this.show(id);
      for (const stream of this.watchers.get(id) ?? []) {
        if (shown) stream.send({ event: name, data: shown.view });
        if (!shown || shown.ended) stream.end();
      }
      return true;
    } catch (err) {
      this.log.warn({ err, [name]: id }, 'watchers could not be told how it gets on');
      return false;
    }
  }
}
