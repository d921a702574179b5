import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endRequestTrace } from './request-trace.js';

/** A client with more unread bytes than this is disconnected. It reconnects and requests what it missed. */
const MAX_UNREAD_BYTES = 4 * 1_048_576;
const LET_GO_MS = 1_000;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY_MS = 1_000;

interface ServerEvent {
  event: string;
  id?: string;
  data: unknown;
}

const openStreams = new WeakMap<ServerResponse, EventStream>();
/** Responses whose stream ends as soon as it is opened. */
const refused = new WeakSet<ServerResponse>();

/**
 * Answers a request with a stream of events. Returns undefined for a HEAD request. The request cannot be refused any
 * more.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream | undefined {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  endRequestTrace(request, reply);
  if (request.method === 'HEAD') {
    reply.raw.end();
    return undefined;
  }
  const stream = new EventStream(reply.raw);
  openStreams.set(reply.raw, stream);
  if (refused.has(reply.raw)) stream.end();
  return stream;
}

/** Ends the stream of a response, even if it is opened later. Other responses are not affected. */
export function endEventStream(response: ServerResponse): void {
  refused.add(response);
  openStreams.get(response)?.end();
}

/** One client's connection in the format of `EventSource`. */
export class EventStream {
  constructor(private readonly response: ServerResponse) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send({ event, id, data }: ServerEvent): void {
    // JSON contains no line breaks, so it is one line.
    this.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps proxies from closing the connection. */
  beat(): void {
    this.write(':\n\n');
  }

  /** Does not wait for a client that does not read to the end. */
  end(): void {
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), LET_GO_MS).unref();
    this.onClose(() => clearTimeout(cut));
  }

  /** Also calls the listener for a client that left before the stream was opened. */
  onClose(listener: () => void): void {
    if (this.response.closed) listener();
    else this.response.once('close', listener);
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
  }
}
