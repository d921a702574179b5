import { Breach, NotProbed } from '../breach.js';
import type { Answer } from '../kind.js';
import type { Probe } from '../target.js';

const MAX_PAGES = 20;

export const paging: Probe = {
  name: 'paging',
  checks: 'following nextCursor leads to the end without repeating anything',
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

  /** Returns the cursor of the next page, or undefined at the end. */
  next(page: number, answer: Answer): string | undefined {
    if (answer.status === 'error') throw errorOn(page, answer.error);
    for (const item of answer.items) this.add(item, page);
    if (!answer.hasMore) return undefined;
    const { nextCursor } = answer;
    if (nextCursor === undefined) throw new Breach(`page ${page} has hasMore but no nextCursor`);
    if (this.cursors.has(nextCursor))
      throw new Breach(`page ${page} repeats the nextCursor of an earlier page: ${nextCursor}`);
    this.cursors.add(nextCursor);
    return nextCursor;
  }

  private add(item: string, page: number): void {
    const earlier = this.pageOf.get(item);
    if (earlier !== undefined) throw new Breach(`page ${page} repeats ${item} of page ${earlier}`);
    this.pageOf.set(item, page);
  }
}

function errorOn(page: number, { code, message }: { code: string; message: string }): Error {
  const details = `page ${page} was answered with ${code} (${message})`;
  return code === 'RATE_LIMITED' ? new NotProbed(details) : new Breach(details);
}
