import type { Events } from '../events/events.js';
import type { EventStream, Exchange, ServerEvent } from './event-stream.js';
import type { LiveHub, StreamKind } from './live-hub.js';

/** Milliseconds between a change and the load that shows it. Changes within them are sent together. */
const INTERVAL_MS = 200;
/** After a slow load the next one waits for this many times its duration. */
const PAUSE_FACTOR = 2;
const ERROR_DELAY_MS = 2_000;
const BATCH_SIZE = 100;
/** Changed items that may wait in a topic. Beyond them its subscribers get the complete state. */
const MAX_CHANGED = 1_000;

export interface LiveUpdate {
  events: ServerEvent[];
  ended?: boolean;
}

interface Definition extends StreamKind {
  /** `changed` is undefined for subscribers that are new or may have missed changes. */
  load(topic: string, changed: string[] | undefined): Promise<LiveUpdate>;
}

interface Topic {
  readonly name: string;
  readonly subscribers: Set<EventStream>;
  stale: Set<EventStream>;
  readonly changed: Set<string>;
  loading: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Loads a topic once for all subscribers, one load at a time, so that no older state follows a newer one. */
export abstract class LiveView {
  private readonly topics = new Map<string, Topic>();

  protected constructor(
    private readonly hub: LiveHub,
    events: Events,
    private readonly definition: Definition,
  ) {
    events.onReconnect(() => {
      for (const topic of this.topics.values()) {
        markStale(topic);
        this.schedule(topic, INTERVAL_MS);
      }
    });
  }

  open({ topic: name, owner }: { topic: string; owner: string }, exchange: Exchange): void {
    const stream = this.hub.open(this.definition, owner, exchange);
    if (!stream) return;
    const topic = this.topics.get(name) ?? newTopic(name);
    this.topics.set(name, topic);
    topic.subscribers.add(stream);
    topic.stale.add(stream);
    this.schedule(topic, 0);
    stream.onClose(() => {
      topic.subscribers.delete(stream);
      topic.stale.delete(stream);
      if (topic.subscribers.size) return;
      clearTimeout(topic.timer);
      this.topics.delete(name);
    });
  }

  /** `item` names what has changed within the topic, for views that send single items. */
  protected changed(name: string, item = name): void {
    const topic = this.topics.get(name);
    if (!topic) return;
    topic.changed.add(item);
    if (topic.changed.size > MAX_CHANGED) markStale(topic);
    this.schedule(topic, INTERVAL_MS);
  }

  /** Only a new subscriber, which does not wait, replaces a load that is already scheduled. */
  private schedule(topic: Topic, delayMs: number): void {
    if (topic.loading || !topic.subscribers.size || (topic.timer && delayMs)) return;
    clearTimeout(topic.timer);
    topic.timer = setTimeout(() => void this.run(topic), delayMs).unref();
  }

  private async run(topic: Topic): Promise<void> {
    const startedAt = performance.now();
    topic.timer = undefined;
    topic.loading = true;
    const succeeded = await this.update(topic);
    topic.loading = false;
    const pauseMs = Math.max(INTERVAL_MS, PAUSE_FACTOR * (performance.now() - startedAt));
    if (!succeeded) this.schedule(topic, ERROR_DELAY_MS);
    else if (topic.stale.size) this.schedule(topic, 0);
    else if (topic.changed.size) this.schedule(topic, pauseMs);
  }

  private async update(topic: Topic): Promise<boolean> {
    const isComplete = topic.stale.size > 0;
    const receivers = isComplete ? topic.stale : new Set(topic.subscribers);
    // Emptied before the load: a subscriber that becomes stale during it needs another one.
    topic.stale = new Set();
    try {
      const { events, ended } = await this.definition.load(topic.name, isComplete ? undefined : takeChanged(topic));
      for (const stream of ended ? topic.subscribers : receivers) {
        for (const event of events) stream.send(event);
        if (ended) stream.end();
      }
      return true;
    } catch (err) {
      this.hub.logFailure(this.definition.name, { err, topic: topic.name });
      markStale(topic);
      return false;
    }
  }
}

function newTopic(name: string): Topic {
  return { name, subscribers: new Set(), stale: new Set(), changed: new Set(), loading: false, timer: undefined };
}

function markStale(topic: Topic): void {
  topic.stale = new Set(topic.subscribers);
  topic.changed.clear();
}

function takeChanged({ changed }: Topic): string[] {
  const batch = [...changed].slice(0, BATCH_SIZE);
  for (const item of batch) changed.delete(item);
  return batch;
}
