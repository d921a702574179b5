import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ApiError, tooMany } from '../errors/api-error.js';
import { LOG, type Log } from '../log/log.js';
import { type EventStream, type Exchange, openEventStream } from './event-stream.js';

const HEARTBEAT_INTERVAL_MS = 15_000;
/** A stream ends after this many milliseconds. Its client reconnects, and access is checked again. */
export const MAX_STREAM_MS = 30 * 60_000;
export const MAX_STREAMS_PER_USER = 20;

interface StreamLimit {
  max: number;
  refusal: string;
  retryAfterMs: number;
}

export interface StreamKind {
  name: string;
  limit: StreamLimit;
}

export const userLimit = (refusal: string): StreamLimit => ({
  max: MAX_STREAMS_PER_USER,
  refusal,
  retryAfterMs: HEARTBEAT_INTERVAL_MS,
});

/** A slow reader is cut off by its `EventStream`, a revoked key's streams are ended by `RevokedKeys`. */
@Injectable()
export class LiveHub implements OnModuleInit, OnModuleDestroy {
  private readonly streams = new Map<string, Set<EventStream>>();
  private heartbeat: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(LOG) private readonly log: Log) {}

  onModuleInit() {
    this.heartbeat = setInterval(() => this.sendHeartbeats(), HEARTBEAT_INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.heartbeat);
    for (const streams of this.streams.values()) for (const stream of streams) stream.end();
  }

  /** Throws, before anything is sent, if the server is stopping or the owner (usually a user) has too many streams. */
  open({ name, limit }: StreamKind, owner: string, exchange: Exchange): EventStream | undefined {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    const key = `${name} ${owner}`;
    const streams = this.streams.get(key) ?? new Set();
    if (streams.size >= limit.max) throw tooMany(limit.refusal, limit.retryAfterMs);
    const stream = openEventStream(exchange);
    if (!stream) return undefined;
    this.streams.set(key, streams.add(stream));
    const end = setTimeout(() => stream.end(), MAX_STREAM_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      streams.delete(stream);
      if (!streams.size && this.streams.get(key) === streams) this.streams.delete(key);
    });
    return stream;
  }

  sendHeartbeats(): void {
    for (const streams of this.streams.values()) for (const stream of streams) stream.sendHeartbeat();
  }

  logFailure(view: string, facts: { err: unknown; topic?: string }): void {
    this.log.warn({ event: 'live_update_failed', view, ...facts }, 'Live update failed');
  }
}
