import { setTimeout as sleep } from 'node:timers/promises';
import { closesHostUntil } from '../../platform/hosts/retry-after.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { ScrapeFailure, type ScraperTools } from '../scraper.js';
import { ALL_ALLOWED, parseRobotsTxt, type RobotsTxt } from './robots-txt.js';

const MIN_PAUSE_MS = 500;
const MAX_BYTES = 5_000_000;
const MAX_ROBOTS_BYTES = 2_000_000;
/** RFC 9309 requires at least 500 KiB to be read. */
const MAX_ROBOTS_CHARACTERS = 512_000;
const TIMEOUTS = { total: 15_000 };
/** A site may use only this many host names, because each costs a request for robots.txt. */
const MAX_ORIGINS = 5;

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const realPause: Pause = async (ms, signal) => {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
};

type VisitTools = Pick<ScraperTools, 'http' | 'signal'> & { pause: Pause };

/** Makes requests to one site one at a time, with pauses, and only for pages that its robots.txt allows. */
export class SiteVisits {
  private readonly robots = new Map<string, Promise<RobotsTxt>>();
  private pauseMs = MIN_PAUSE_MS;
  private isFirst = true;

  constructor(private readonly tools: VisitTools) {}

  /** Fails with a ScrapeFailure if robots.txt forbids the address or the status is not a success. */
  async get(url: URL, accept: string): Promise<HttpResponse> {
    await this.check(url);
    const response = await this.ask(url.href, { accept, maxBytes: MAX_BYTES });
    if (response.status < 200 || response.status > 299) throw refusal(response);
    return response;
  }

  async check(url: URL): Promise<void> {
    const robots = await this.robotsOf(url.origin);
    if (!robots.allows(url))
      throw new ScrapeFailure(`${url.origin}: robots.txt does not allow to read ${url.pathname}`);
  }

  robotsOf(origin: string): Promise<RobotsTxt> {
    const known = this.robots.get(origin);
    if (known) return known;
    if (this.robots.size >= MAX_ORIGINS) throw new ScrapeFailure(`${origin} is one host name too many of its site`);
    const robots = this.readRobots(origin);
    this.robots.set(origin, robots);
    return robots;
  }

  /** By RFC 9309, a missing robots.txt allows everything and an unreadable one forbids everything. */
  private async readRobots(origin: string): Promise<RobotsTxt> {
    const response = await this.askRobots(origin);
    if (!response || (response.status >= 400 && response.status < 500 && response.status !== 429)) return ALL_ALLOWED;
    if (response.status !== 200) throw refusal(response);
    const robots = parseRobotsTxt(response.text().slice(0, MAX_ROBOTS_CHARACTERS));
    this.pauseMs = Math.max(this.pauseMs, robots.delayMs);
    return robots;
  }

  /** A robots.txt with too many redirects counts as missing. */
  private async askRobots(origin: string): Promise<HttpResponse | undefined> {
    try {
      return await this.ask(`${origin}/robots.txt`, { accept: 'text/plain, */*;q=0.5', maxBytes: MAX_ROBOTS_BYTES });
    } catch (error) {
      if (error instanceof OutgoingRequestError && error.code === 'TOO_MANY_REDIRECTS') return undefined;
      throw error;
    }
  }

  private async ask(url: string, { accept, maxBytes }: { accept: string; maxBytes: number }): Promise<HttpResponse> {
    const { http, signal, pause } = this.tools;
    const isContinuation = !this.isFirst;
    this.isFirst = false;
    if (isContinuation) await pause(this.pauseMs, signal);
    return http.get(url, { signal, maxBytes, headers: { accept }, timeouts: TIMEOUTS, isContinuation });
  }
}

function refusal({ url, status, retryAfter }: HttpResponse): ScrapeFailure {
  const { origin, pathname } = new URL(url);
  const until = closesHostUntil(status, retryAfter, databaseTime.now());
  return new ScrapeFailure(`${origin}${pathname} answered ${status}`, { until, retryable: status >= 500 });
}
