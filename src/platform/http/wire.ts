import { Agent, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.js';
import { ACCEPT_ENCODING, decodeBody, tooLarge } from './decode-body.js';
import type { Hop } from './hop.js';
import { isRedirect } from './redirect.js';
import { toRequestFault } from './request-fault.js';
import type { Limits } from './request-limits.js';
import { retryAfter } from './retry-after.js';
import type { TimeAllowance } from './time-allowance.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** When a server that refused wants to be asked again. */
  retryAfter: Date | undefined;
}

/** A poller meets a host seldom: a server's own wish for longer would only pile up idle sockets. */
const KEEP_ALIVE_MS = 4_000;
/** Before the next address of a name is tried; Node's own 250 ms gives up on far-away servers. */
const ADDRESS_ATTEMPT_MS = 1_500;
/** A redirect's body is read away up to here to keep the connection, beyond it the connection is closed. */
const REDIRECT_BODY_BYTES = 16_384;

/** Sends one request over a connection that the guard has checked, and reads its answer within the limits. */
export class Wire {
  /** A connection's time to be made is a setting of the agent. */
  private readonly agents = new Map<number, Agent>();

  constructor(
    private readonly guard: AddressGuard,
    private readonly userAgent: string,
  ) {}

  /** `beforeSend` is called right before the first byte leaves: who aborts the request then can be sure that none has. */
  exchange(hop: Hop, { limits, time, beforeSend }: Terms): Promise<Answer> {
    return time.spend(async (signal) => {
      try {
        this.guard.checkLiteral(hop.url);
        return await read(await this.send(hop, { limits, beforeSend, signal }), hop, limits);
      } catch (error) {
        throw toRequestFault(error);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private send(hop: Hop, { limits: { timeouts }, beforeSend, signal }: Sending): Promise<Dispatcher.ResponseData> {
    const { url, method, headers, body } = hop;
    const agent = this.agentFor(timeouts.connect);
    const dispatcher = beforeSend ? agent.compose(calling(beforeSend)) : agent;
    return dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, 'accept-encoding': ACCEPT_ENCODING, 'user-agent': this.userAgent },
      body: body ?? null,
      headersTimeout: timeouts.headers,
      bodyTimeout: timeouts.body,
      signal,
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

interface Terms {
  limits: Limits;
  time: TimeAllowance;
  beforeSend?: (() => void) | undefined;
}

type Sending = Omit<Terms, 'time'> & { signal: AbortSignal };

/** A request's start is when it has a connection and is about to be written to it. */
function calling(beforeSend: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const begin = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      beforeSend();
      begin?.(controller, context);
    };
    return dispatch(options, handler);
  };
}

async function read(response: Dispatcher.ResponseData, hop: Hop, { maxBytes }: Limits): Promise<Answer> {
  const { statusCode: status, body } = response;
  const headers = joined(response.headers);
  const answer = {
    status,
    headers,
    retryAfter: status >= 400 ? retryAfter(headers['retry-after'], new Date()) : undefined,
  };
  if (isRedirect(status, headers.location)) {
    await body.dump({ limit: REDIRECT_BODY_BYTES });
    return { ...answer, body: Buffer.alloc(0) };
  }
  if (hop.method !== 'HEAD' && Number(headers['content-length']) > maxBytes) {
    await body.dump({ limit: maxBytes });
    throw tooLarge(maxBytes);
  }
  return { ...answer, body: await decodeBody(body, headers['content-encoding'], maxBytes) };
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
