import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { HostAnswers } from '../hosts/host-answers.js';
import { HostGate } from '../hosts/host-gate.js';
import { userAgent } from '../process/version.js';
import { databaseTime } from '../time/database-time.js';
import { AddressGuard, NAME_LOOKUP, type NameLookup } from './address-guard.js';
import { firstHop, type Hop, type RequestContent } from './hop.js';
import { type HttpResponse, toResponse } from './http-response.js';
import { RequestFault } from './outgoing-request-error.js';
import { nextHop, type Redirect } from './redirect.js';
import { type BackgroundWork, type LimitChoices, type Limits, limitsFor, TimeAllowance } from './request-limits.js';
import { RequestMetrics } from './request-metrics.js';
import { tracedExchange } from './traced-exchange.js';
import { type Answer, Wire } from './wire.js';

export interface RequestOptions extends RequestContent, LimitChoices {
  signal?: AbortSignal | undefined;
  /** An account skips the concurrency limit, and its 429 does not close the host. It still takes slots. */
  asAccount?: boolean | undefined;
  /** Applies the concurrency limit to an account too, at hosts that users name. */
  standsInLine?: boolean | undefined;
  /** Waits longer for a slot, because the result of an earlier request would be lost. */
  isContinuation?: boolean | undefined;
  /** Called right before the first byte is sent. If it aborts the signal, nothing is sent. */
  beforeSend?: (() => void) | undefined;
  background?: BackgroundWork | undefined;
}

interface Journey extends Omit<RequestOptions, keyof RequestContent | keyof LimitChoices> {
  limits: Limits;
  time: TimeAllowance;
}

/** At each hop a request passes host gate, address guard and wire. It is never retried here. */
@Injectable()
export class HttpClient implements OnApplicationShutdown {
  private readonly guard: AddressGuard;
  private readonly wire: Wire;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'allowNetworks' | 'allowPorts' | 'contactUrl'>,
    private readonly gate: HostGate,
    private readonly answers: HostAnswers,
    @Inject(NAME_LOOKUP) lookup: NameLookup,
    private readonly metrics: RequestMetrics,
  ) {
    this.guard = new AddressGuard({ networks: config.allowNetworks, ports: config.allowPorts }, lookup);
    this.wire = new Wire(this.guard, userAgent(config.contactUrl));
  }

  get(url: string, options: Omit<RequestOptions, 'method' | 'body'> = {}): Promise<HttpResponse> {
    return this.request(url, options);
  }

  /** Fails as a request would if the address is invalid or refused as written. Nothing is sent or looked up. */
  checkAddress(url: string): void {
    const hop = firstHop(url, {});
    try {
      this.guard.checkSpelling(hop.url);
    } catch (error) {
      throw error instanceof RequestFault ? error.at(hop.label) : error;
    }
  }

  async request(url: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const limits = limitsFor(options);
    const time = new TimeAllowance(limits.timeouts.total, options.signal);
    const redirects: Redirect[] = [];
    let hop = firstHop(url, options);
    try {
      for (;;) {
        const isContinuation = options.isContinuation || redirects.length > 0;
        const answer = await this.visit(hop, { ...options, limits, time, isContinuation });
        const next = nextHop(hop, answer.status, answer.headers.location);
        if (!next) return toResponse(answer, hop, redirects);
        if (redirects.length >= limits.maxRedirects) throw tooManyRedirects(limits);
        redirects.push({ status: answer.status, from: hop.url.href, to: next.url.href });
        hop = next;
      }
    } catch (error) {
      throw error instanceof RequestFault ? error.at(hop.label) : error;
    }
  }

  async onApplicationShutdown() {
    await this.wire.close();
  }

  private visit(hop: Hop, { limits, time, ...options }: Journey): Promise<Answer> {
    const { signal, asAccount = false, standsInLine = false, isContinuation = false, beforeSend, background } = options;
    const isWrite = asAccount && hop.method !== 'GET' && hop.method !== 'HEAD';
    const skipsLine = asAccount && !standsInLine;
    const visitor = { patienceMs: limits.timeouts.line, signal, skipsLine, isWrite, isContinuation, background };
    return this.gate.pass(hop.url, visitor, async (host) => {
      const sentAt = databaseTime.now();
      const sent = tracedExchange(hop, () => this.wire.exchange(hop, { limits, time, beforeSend, background }));
      const answer = await this.metrics.count(sent);
      // This happens before the semaphore is released, so that the next request already sees a closed host.
      await this.answers.applyRateLimit({ host, url: hop.url, sentAt, asAccount }, answer);
      return answer;
    });
  }
}

function tooManyRedirects({ maxRedirects }: Limits): RequestFault {
  return new RequestFault('TOO_MANY_REDIRECTS', `redirects again after ${maxRedirects} redirects`);
}
