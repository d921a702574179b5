import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endRequestTrace } from '../api/request-trace.js';

/** Bytes that may wait for a slow reader. Beyond them its stream is cut off; the client reconnects and asks for what it missed. */
const MAX_UNREAD_BYTES = 4 * 1_048_576;
const END_TIMEOUT_MS = 1_000;
/** Milliseconds that a browser waits before it reconnects. */
const RETRY_MS = 1_000;

export interface ServerEvent {
  event: string;
  id?: string;
  data: unknown;
}

export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

const openStreams = new WeakMap<ServerResponse, EventStream>();
const endedResponses = new WeakSet<ServerResponse>();

/** Answers a request with a stream of events, after which no error can be returned. A HEAD request gets the headers only. */
export function openEventStream({ request, reply }: Exchange): EventStream | undefined {
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
  if (endedResponses.has(reply.raw)) stream.end();
  return stream;
}

/** Ends the stream on a response, also one that is opened later. Other responses are not affected. */
export function endEventStream(response: ServerResponse): void {
  endedResponses.add(response);
  openStreams.get(response)?.end();
}

export class EventStream {
  constructor(private readonly response: ServerResponse) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send({ event, id, data }: ServerEvent): void {
    // JSON text contains no line breaks, so it is one line.
    this.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends a comment, which keeps proxies from closing an idle connection. */
  sendHeartbeat(): void {
    this.write(':\n\n');
  }

  end(): void {
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), END_TIMEOUT_MS).unref();
    this.onClose(() => clearTimeout(cut));
  }

  /** Calls the listener at once if the client has left before the stream was opened. */
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
