import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.js';
import { HostAnswers } from '../hosts/host-answers.js';
import { HostGate } from '../hosts/host-gate.js';
import { HostLimits } from '../hosts/host-limits.js';
import { databaseTime } from '../time/database-time.js';
import { AddressGuard, type BackgroundWork, NAME_LOOKUP, type NameLookup } from './address-guard.js';
import { type Asking, firstHop, type Hop } from './hop.js';
import { type HttpResponse, toResponse } from './http-response.js';
import { nextHop, type Redirect } from './redirect.js';
import { RequestFault } from './request-fault.js';
import { type LimitChoices, type Limits, limitsFor } from './request-limits.js';
import { RequestMetrics } from './request-metrics.js';
import { TimeAllowance } from './time-allowance.js';
import { tracedExchange } from './traced-exchange.js';
import { userAgent } from './user-agent.js';
import { type Answer, Wire } from './wire.js';

export interface RequestOptions extends Asking, LimitChoices {
  /** Aborting it rejects the request with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Asked in the name of one account, whose own limits hold: it does not stand in the line for the host, and that this
   * account has asked too often says nothing about others and closes no host. Where the host has a limit it counts there,
   * too; what changes something goes before all that only reads.
   */
  asAccount?: boolean | undefined;
  /** Stands in the line for the host even as an account: for hosts that users name and that have not asked for it. */
  standsInLine?: boolean | undefined;
  /**
   * The fetch of a source, whether its schedule or a reader asked for it: it takes the place of the next planned one. What
   * other requests leave of a host's limit is shared out among these.
   */
  isFetch?: boolean | undefined;
  /** Goes on with what an earlier request has begun, which would be lost: worth a longer wait for a turn at its host. */
  goesOn?: boolean | undefined;
  /** Called right before a request's first byte leaves: if it aborts the signal, none does. */
  beforeSend?: (() => void) | undefined;
  /** Fails with HOST_BUSY, and a time to come back, if the name of the host is slow to resolve. */
  background?: BackgroundWork | undefined;
}

/** A request under way. */
interface Journey {
  limits: Limits;
  time: TimeAllowance;
  signal: AbortSignal | undefined;
  asAccount: boolean;
  standsInLine: boolean;
  isFetch: boolean;
  goesOn: boolean;
  beforeSend: (() => void) | undefined;
  background: BackgroundWork | undefined;
}

/**
 * The only way out to other people's servers. A request passes, at every hop: the host's gate (its back-off, the line for it,
 * its turns), the address guard, the wire. It fails with an OutgoingRequestError, and never tries again by itself.
 */
@Injectable()
export class HttpClient implements OnApplicationShutdown {
  private readonly guard: AddressGuard;
  private readonly wire: Wire;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'allowNetworks' | 'allowPorts' | 'contactUrl'>,
    private readonly limits: HostLimits,
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
    const { signal, asAccount = false, standsInLine = false, isFetch = false, goesOn = false } = options;
    const { beforeSend, background } = options;
    const time = new TimeAllowance(limits.timeouts.total, signal);
    const journey = { limits, signal, asAccount, standsInLine, isFetch, goesOn, beforeSend, background, time };
    const redirects: Redirect[] = [];
    let hop = firstHop(url, options);
    try {
      for (;;) {
        const answer = await this.visit(hop, { ...journey, goesOn: goesOn || redirects.length > 0 });
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

  private async visit(hop: Hop, journey: Journey): Promise<Answer> {
    const { limits, time, signal, asAccount, standsInLine, isFetch, goesOn, beforeSend, background } = journey;
    const host = this.limits.hostOf(hop.url);
    const isWrite = asAccount && hop.method !== 'GET' && hop.method !== 'HEAD';
    const skipsLine = asAccount && !standsInLine;
    const visitor = { patienceMs: limits.timeouts.line, signal, skipsLine, isWrite, isFetch, isContinuation: goesOn };
    return this.gate.pass(host, visitor, async () => {
      const sentAt = databaseTime.now();
      const sent = tracedExchange(hop, () => this.wire.exchange(hop, { limits, time, beforeSend, background }));
      const answer = await this.metrics.count(sent);
      // Before the place in line is given on, so that the next one already sees a closed host.
      await this.answers.applyRateLimit({ host, url: hop.url, sentAt, asAccount }, answer);
      return answer;
    });
  }
}

function tooManyRedirects({ maxRedirects }: Limits): RequestFault {
  return new RequestFault('TOO_MANY_REDIRECTS', `redirects again after ${maxRedirects} redirects`);
}
