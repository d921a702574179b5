import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { AddressGuard, NAME_LOOKUP, type NameLookup } from './address-guard.js';
import { type Asking, firstHop, type Hop } from './hop.js';
import { HostBackoffs } from './host-backoffs.js';
import { HostBudget } from './host-budget.js';
import { hostOf } from './host-of.js';
import { type HttpResponse, toResponse } from './http-response.js';
import { nextHop, type Redirect } from './redirect.js';
import { RequestFault } from './request-fault.js';
import { type LimitChoices, type Limits, limitsFor } from './request-limits.js';
import { RequestMetrics } from './request-metrics.js';
import { closesHostUntil } from './retry-after.js';
import { TimeAllowance } from './time-allowance.js';
import { tracedExchange } from './traced-exchange.js';
import { userAgent } from './user-agent.js';
import { type Answer, Wire } from './wire.js';

export interface RequestOptions extends Asking, LimitChoices {
  /** Aborting it rejects the request with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Asked in the name of one account, whose own limits hold: it does not stand in the line for the host, and that this
   * account has asked too often says nothing about others and closes no host.
   */
  asAccount?: boolean | undefined;
  /** Called right before a request's first byte leaves: if it aborts the signal, none does. */
  beforeSend?: (() => void) | undefined;
}

/** A request under way. */
interface Journey {
  limits: Limits;
  time: TimeAllowance;
  signal: AbortSignal | undefined;
  asAccount: boolean;
  beforeSend: (() => void) | undefined;
}

/**
 * The only way out to other people's servers. A request passes, at every hop: the host's back-off, the line for the
 * host, the address guard, the wire. It fails with an OutgoingRequestError, and never tries again by itself.
 */
@Injectable()
export class HttpClient implements OnApplicationShutdown {
  private readonly budget: HostBudget;
  private readonly guard: AddressGuard;
  private readonly wire: Wire;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'allowNetworks' | 'hostConcurrency' | 'contactUrl'>,
    private readonly backoffs: HostBackoffs,
    @Inject(NAME_LOOKUP) lookup: NameLookup,
    private readonly metrics: RequestMetrics,
  ) {
    this.budget = new HostBudget(config.hostConcurrency);
    this.guard = new AddressGuard(config.allowNetworks, lookup);
    this.wire = new Wire(this.guard, userAgent(config.contactUrl));
  }

  get(url: string, options: Omit<RequestOptions, 'method' | 'body'> = {}): Promise<HttpResponse> {
    return this.request(url, options);
  }

  /** Fails as a request would for an address that is none or that is refused as it is spelled; nothing is sent or looked up. */
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
    const { signal, asAccount = false, beforeSend } = options;
    const journey = { limits, signal, asAccount, beforeSend, time: new TimeAllowance(limits.timeouts.total, signal) };
    const redirects: Redirect[] = [];
    let hop = firstHop(url, options);
    try {
      for (;;) {
        const answer = await this.visit(hop, journey);
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

  private async visit(hop: Hop, { limits, time, signal, asAccount, beforeSend }: Journey): Promise<Answer> {
    const host = hostOf(hop.url);
    await this.refuseClosed(host);
    const exchange = async () => {
      const sent = tracedExchange(hop, () => this.wire.exchange(hop, { limits, time, beforeSend }));
      const answer = await this.metrics.count(sent);
      if (!asAccount || answer.status !== 429) await this.heed(host, answer);
      return answer;
    };
    if (asAccount) return exchange();
    return this.budget.run(host, { ms: limits.timeouts.line, signal }, async () => {
      await this.refuseClosed(host);
      return exchange();
    });
  }

  private async refuseClosed(host: string): Promise<void> {
    const backoff = await this.backoffs.find(host);
    if (!backoff) return;
    const { until, reason } = backoff;
    throw new RequestFault('HOST_BACKING_OFF', `is left alone until ${until.toISOString()}: ${reason}`, { until });
  }

  /** Before the place in line is given on, so that the next one already sees a closed host. */
  private async heed(host: string, { status, retryAfter }: Answer): Promise<void> {
    const until = closesHostUntil(status, retryAfter, new Date());
    if (until) await this.backoffs.close({ host, until, reason: `${host} answered ${status}` });
  }
}

function tooManyRedirects({ maxRedirects }: Limits): RequestFault {
  return new RequestFault('TOO_MANY_REDIRECTS', `redirects again after ${maxRedirects} redirects`);
}
