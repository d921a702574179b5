import { hostOf } from '../../platform/hosts/host-of.js';
import { isWorthAsking, pageAddress, pageKey } from './page-address.js';
import { pageWorth, WORTH, type Worth } from './page-worth.js';

const MAX_DEPTH = 2;
const MAX_WAITING = 1_000;
/** Leaves room for better ones. */
const MAX_OTHERS_WAITING = 500;

export interface Candidate {
  url: URL;
  depth: number;
  worth: Worth;
}

/** The pages of a site that are still to be read, the most promising first, each once. */
export class Frontier {
  private readonly known = new Set<string>();
  private readonly read = new Set<string>();
  private readonly waiting: Candidate[] = [];

  /** @param site a registrable domain, as `hostOf` has it */
  constructor(private readonly site: string) {}

  /** These are asked for whatever they look like, and before all others. */
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

  /** Whether it is read for the first time; a redirect may lead where we have been. */
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

/** Where a page was given or linked from near the start, it tells more than one far away. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if ((one.depth === 0) !== (other.depth === 0)) return one.depth === 0;
  return one.worth - other.worth < 0 || (one.worth === other.worth && one.depth < other.depth);
}
