import { Agent, type Dispatcher } from 'undici';
import { retryAfter } from '../hosts/retry-after.js';
import { databaseTime } from '../time/database-time.js';
import type { AddressGuard } from './address-guard.js';
import { ACCEPT_ENCODING, type Decoder, decodeBody, decodersFor, GrowingBuffer, tooLarge } from './decode-body.js';
import type { Hop, Method } from './hop.js';
import { RequestFault, toRequestFault } from './outgoing-request-error.js';
import { isRedirect } from './redirect.js';
import type { BackgroundWork, Limits, TimeAllowance } from './request-limits.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  retryAfter: Date | undefined;
}

/** A poller visits a host rarely, so a longer keep-alive would only accumulate idle sockets. */
const KEEP_ALIVE_MS = 4_000;
/** The 250 ms of Node.js before it tries the next address are too short for distant servers. */
const ADDRESS_ATTEMPT_MS = 1_500;
/** The body of a redirect is read up to this many bytes to keep the connection. Beyond it the connection is closed. */
const REDIRECT_BODY_BYTES = 16_384;

export class Wire {
  private readonly agents = new Map<number, Agent>();

  constructor(
    private readonly guard: AddressGuard,
    private readonly userAgent: string,
  ) {}

  exchange(hop: Hop, { limits, time, beforeSend, background }: ExchangeOptions): Promise<Answer> {
    return time.spend(async (signal) => {
      try {
        this.guard.checkLiteral(hop.url);
        if (background) await this.guard.lookUpAhead(hop.url, background);
        const { raw, decoders, ...answer } = await this.send(hop, { limits, beforeSend, signal });
        return { ...answer, body: await decodeBody(raw, decoders, limits.maxBytes) };
      } catch (error) {
        throw toRequestFault(error);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private send(hop: Hop, { limits: { timeouts, maxBytes }, beforeSend, signal }: SendOptions): Promise<RawAnswer> {
    const { url, method, headers, body } = hop;
    const agent = this.agentFor(timeouts.connect);
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader({ method, maxBytes, beforeSend, signal }, resolve, reject);
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { ...headers, 'accept-encoding': ACCEPT_ENCODING, 'user-agent': this.userAgent },
          body: body ?? null,
          headersTimeout: timeouts.headers,
          bodyTimeout: timeouts.body,
        },
        reader,
      );
    });
  }

  private agentFor(connectMs: number): Agent {
    const agent = this.agents.get(connectMs) ?? this.newAgent(connectMs);
    this.agents.set(connectMs, agent);
    return agent;
  }

  private newAgent(connectMs: number): Agent {
    return new Agent({
      connect: {
        lookup: this.guard.lookup,
        timeout: connectMs,
        autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  }
}

interface ExchangeOptions {
  limits: Limits;
  time: TimeAllowance;
  beforeSend?: (() => void) | undefined;
  background?: BackgroundWork | undefined;
}

type SendOptions = Omit<ExchangeOptions, 'time' | 'background'> & { signal: AbortSignal };

interface RawAnswer extends Omit<Answer, 'body'> {
  raw: Buffer;
  decoders: Decoder[];
}

interface ReaderOptions {
  method: Method;
  maxBytes: number;
  beforeSend: (() => void) | undefined;
  signal: AbortSignal;
}

/** Never pauses the parser: in undici 7 a connection that ends meanwhile ends the process (nodejs/undici#5360). */
class AnswerReader implements Dispatcher.DispatchHandler {
  private readonly body = new GrowingBuffer();
  private head: Omit<RawAnswer, 'raw'> | undefined;
  private onAbort: (() => void) | undefined;

  constructor(
    private readonly options: ReaderOptions,
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, beforeSend } = this.options;
    if (!signal.aborted) beforeSend?.();
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    this.onAbort = abort;
  }

  /** Throwing here aborts the request before any of the body is read. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, received: ResponseHeaders): void {
    if (status < 200) return;
    const headers = joined(received);
    const retryAt = status >= 400 ? retryAfter(headers['retry-after'], databaseTime.now()) : undefined;
    this.head = { status, headers, retryAfter: retryAt, decoders: [] };
    if (this.isRedirect) return;
    const { method, maxBytes } = this.options;
    if (method !== 'HEAD' && Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
    this.head.decoders = decodersFor(headers['content-encoding']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes } = this.options;
    this.body.append(chunk);
    if (this.isRedirect && this.body.length > REDIRECT_BODY_BYTES) {
      this.onResponseEnd();
      controller.abort(tooLarge(REDIRECT_BODY_BYTES));
    } else if (this.body.length > maxBytes) controller.abort(tooLarge(maxBytes));
  }

  onResponseEnd(): void {
    this.settle();
    if (!this.head) this.reject(new RequestFault('NETWORK_ERROR', 'ended its answer without a head'));
    else this.resolve({ ...this.head, raw: this.isRedirect ? Buffer.alloc(0) : this.body.toBuffer() });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.settle();
    this.reject(error);
  }

  private get isRedirect(): boolean {
    return !!this.head && isRedirect(this.head.status, this.head.headers.location);
  }

  private settle(): void {
    if (this.onAbort) this.options.signal.removeEventListener('abort', this.onAbort);
  }
}

type ResponseHeaders = Dispatcher.ResponseData['headers'];

function joined(headers: ResponseHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
