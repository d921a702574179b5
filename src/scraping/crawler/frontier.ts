import { hostOf } from '../../platform/hosts/host-of.js';
import { isWorthAsking, pageAddress, pageKey } from './page-address.js';
import { pageWorth, WORTH, type Worth } from './page-worth.js';

const MAX_DEPTH = 2;
const MAX_WAITING = 1_000;
/** Pages of no particular worth may use only this many places, which leaves capacity for better ones. */
const MAX_OTHERS_WAITING = 500;

export interface Candidate {
  url: URL;
  depth: number;
  worth: Worth;
}

export class Frontier {
  private readonly known = new Set<string>();
  private readonly read = new Set<string>();
  private readonly waiting: Candidate[] = [];

  /** @param site a registrable domain, as `hostOf` returns it */
  constructor(private readonly site: string) {}

  /** Start pages are requested before all others, whatever their address looks like. */
  start(urls: URL[]): void {
    for (const { href } of urls) {
      const url = pageAddress(href);
      if (url) this.push({ url, depth: 0, worth: pageWorth(url) });
    }
  }

  add(links: { url: string; text?: string | undefined }[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const link of links) {
      const url = pageAddress(link.url);
      if (!url || !this.isOurs(url)) continue;
      const worth = pageWorth(url, link.text);
      if (isWorthAsking(url, worth)) this.push({ url, depth, worth });
    }
  }

  isOurs(url: URL): boolean {
    return hostOf(url) === this.site;
  }

  next(): Candidate | undefined {
    for (;;) {
      let best: Candidate | undefined;
      for (const one of this.waiting) if (!best || isBetter(one, best)) best = one;
      if (!best) return undefined;
      this.waiting.splice(this.waiting.indexOf(best), 1);
      if (!this.read.has(pageKey(best.url))) return best;
    }
  }

  /** Returns whether the page is read for the first time, because a redirect may lead to a known page. */
  arriveAt(url: URL): boolean {
    const key = pageKey(url);
    if (this.read.has(key)) return false;
    this.read.add(key);
    return true;
  }

  private push(candidate: Candidate): void {
    const key = pageKey(candidate.url);
    const most = candidate.worth === WORTH.other ? MAX_OTHERS_WAITING : MAX_WAITING;
    if (this.known.has(key) || this.waiting.length >= most) return;
    this.known.add(key);
    this.waiting.push(candidate);
  }
}

/** Given pages come first. Among equally worthy pages, those closer to the start come first. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if ((one.depth === 0) !== (other.depth === 0)) return one.depth === 0;
  return one.worth - other.worth < 0 || (one.worth === other.worth && one.depth < other.depth);
}
