import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { ApiError, tooMany } from '../errors/api-error.js';
import type { EventDefinition, Events } from '../events/events.js';
import type { Log } from '../log/log.js';
import type { EventStream } from './event-stream.js';

const BEAT_MS = 15_000;
/**
 * Maximum lifetime of a stream in milliseconds. Permissions are checked when a stream begins, so it ends and its
 * client reconnects.
 */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS_OF_A_USER = 20;
/** Changes arrive in bursts. A watcher receives the newest state after this pause (milliseconds), not every step. */
const PAUSE_MS = 200;
/** Views that are slow to load are loaded less often: the pause is this many times the last loading time. */
const PAUSE_FACTOR = 4;
const ERROR_DELAY_MS = 2_000;

interface Watched<Change> {
  /** The name of the event, and its plural for messages. */
  name: string;
  plural: string;
  changed: EventDefinition<Change>;
  idOf(change: Change): string;
}

/** Undefined if the object does not exist any more. */
export type Shown = { view: unknown; ended: boolean } | undefined;

/** Streams the progress of an object until it has ended. It is loaded once for all watchers. */
export abstract class LiveViews<Change> implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Map<string, Set<EventStream>>();
  private readonly streamsOf = new Map<string, number>();
  /** The state of each update: scheduled, loading, or outdated by a change while it is loading. */
  private readonly updates = new Map<string, 'due' | 'reading' | 'outdated'>();
  private beats: NodeJS.Timeout | undefined;
  private stopped = false;

  protected constructor(
    private readonly watched: Watched<Change>,
    private readonly events: Events,
    private readonly log: Log,
  ) {}

  protected abstract show(id: string): Promise<Shown>;

  onModuleInit() {
    this.events.subscribe(this.watched.changed, (change) => this.updateSoon(this.watched.idOf(change)));
    // Changes while the connection was down were missed.
    this.events.onReconnect(() => {
      for (const id of this.watchers.keys()) this.updateSoon(id);
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

  /** Throws before anything is sent. */
  admit(userId: string): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    if ((this.streamsOf.get(userId) ?? 0) < MAX_STREAMS_OF_A_USER) return;
    throw tooMany(`You may watch ${MAX_STREAMS_OF_A_USER} ${this.watched.plural} at a time.`, BEAT_MS);
  }

  /** Starts the stream with the current state. */
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
    this.updateSoon(id, 0);
  }

  private left(userId: string): void {
    const open = (this.streamsOf.get(userId) ?? 1) - 1;
    if (open) this.streamsOf.set(userId, open);
    else this.streamsOf.delete(userId);
  }

  private updateSoon(id: string, afterMs = PAUSE_MS): void {
    const state = this.updates.get(id);
    if (!this.watchers.has(id) || state === 'due') return;
    // Updates are loaded one after another, so that nobody receives an older state than they have.
    this.updates.set(id, state ? 'outdated' : 'due');
    if (!state) setTimeout(() => void this.update(id), afterMs).unref();
  }

  private async update(id: string): Promise<void> {
    const begun = Date.now();
    this.updates.set(id, 'reading');
    const isSent = await this.sendUpdate(id);
    const state = this.updates.get(id);
    this.updates.delete(id);
    if (!isSent) this.updateSoon(id, ERROR_DELAY_MS);
    else if (state === 'outdated') this.updateSoon(id, Math.max(PAUSE_MS, PAUSE_FACTOR * (Date.now() - begun)));
  }

  private async sendUpdate(id: string): Promise<boolean> {
    const { name } = this.watched;
    try {
      const shown = await this.show(id);
      for (const stream of this.watchers.get(id) ?? []) {
        if (shown) stream.send({ event: name, data: shown.view });
        if (!shown || shown.ended) stream.end();
      }
      return true;
    } catch (err) {
      this.log.warn({ event: 'live_update_failed', view: name, err, [name]: id }, 'A live update could not be sent');
      return false;
    }
  }
}
