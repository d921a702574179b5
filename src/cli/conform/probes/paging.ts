import { Breach, NotProbed } from '../breach.js';
import type { Answer } from '../kind.js';
import type { Probe } from '../probe.js';

const MAX_PAGES = 20;

export const paging: Probe = {
  name: 'paging',
  checks: 'following nextCursor leads to the end, with nothing twice',
  needsGoodCommand: true,
  async run(target) {
    const { items: noun } = target.options.kind;
    const walk = new Walk();
    let cursor: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { answer } = await target.ask({ cursor });
      cursor = walk.next(page, answer);
      if (cursor === undefined) return `${walk.found} ${noun} on ${page} ${page === 1 ? 'page' : 'pages'}`;
    }
    return `${walk.found} ${noun} on ${MAX_PAGES} pages, and there are more`;
  },
};

class Walk {
  private readonly pageOf = new Map<string, number>();
  private readonly cursors = new Set<string>();

  get found(): number {
    return this.pageOf.size;
  }

  /** Where the next page begins; undefined at the end. */
  next(page: number, answer: Answer): string | undefined {
    if (answer.status === 'error') throw endedBy(page, answer.error);
    for (const item of answer.items) this.add(item, page);
    if (!answer.hasMore) return undefined;
    const { nextCursor } = answer;
    if (nextCursor === undefined) throw new Breach(`page ${page} has hasMore and no nextCursor`);
    if (this.cursors.has(nextCursor))
      throw new Breach(`page ${page} has the nextCursor of an earlier one: ${nextCursor}`);
    this.cursors.add(nextCursor);
    return nextCursor;
  }

  private add(item: string, page: number): void {
    const earlier = this.pageOf.get(item);
    if (earlier !== undefined) throw new Breach(`page ${page} repeats ${item} of page ${earlier}`);
    this.pageOf.set(item, page);
  }
}

function endedBy(page: number, { code, message }: { code: string; message: string }): Error {
  const ended = `page ${page} was answered with ${code} (${message})`;
  return code === 'RATE_LIMITED' ? new NotProbed(ended) : new Breach(ended);
}
