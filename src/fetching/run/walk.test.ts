import { describe, expect, it } from 'vitest';
import { ChangingSource, type Paging } from '../../../test/fetching/changing-source.js';
import { printedSeed, seededRandom } from '../../../test/program/seeded-random.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import type { Gap } from '../../sources/fetch-states.table.js';
import { FetchFailure, type FetchResult, NoWorker } from '../fetcher.js';
import { walk } from './walk.js';

/** Stores the posts of a walk together with its gaps, or neither, as the worker does. */
class Reader {
  readonly ids = new Map<string, string>();
  gaps: Gap[] = [];
  private fetchedBefore = false;

  constructor(
    private readonly fetchPage: (cursor?: string) => FetchResult,
    private readonly maxPages = 10,
  ) {}

  async read({ crash = false } = {}) {
    const found = await walk({
      known: async (externalIds) => new Map(externalIds.flatMap((id) => this.entry(id))),
      fetchPage: async (cursor) => this.fetchPage(cursor),
      floor: this.fetchedBefore ? String(this.ids.size) : null,
      gaps: this.gaps,
      maxPages: this.maxPages,
    });
    if (crash) return found;
    for (const { externalId } of found.posts.toReversed()) {
      if (!this.ids.has(externalId)) this.ids.set(externalId, String(this.ids.size + 1));
    }
    this.gaps = found.gaps;
    this.fetchedBefore = true;
    return found;
  }

  private entry(externalId: string): [string, string][] {
    const id = this.ids.get(externalId);
    return id === undefined ? [] : [[externalId, id]];
  }
}

function readerOf(source: ChangingSource, maxPages?: number) {
  return new Reader((cursor) => source.page(cursor), maxPages);
}

describe('a walk', () => {
  const random = seededRandom(1);

  it('takes one page on the first fetch: what is older is history, not a gap', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(100);
    const reader = readerOf(source);
    await reader.read();
    expect(reader.ids.size).toBe(10);
    expect(reader.gaps).toEqual([]);
    expect(source.requests).toBe(1);
  });

  it('costs one request when little or nothing is new', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(100);
    const reader = readerOf(source);
    await reader.read();
    await reader.read();
    source.post(5);
    await reader.read();
    expect(source.requests).toBe(3);
    expect(reader.ids.size).toBe(15);
  });

  it('goes down page by page to what is known when more is new than a page holds', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    const reader = readerOf(source);
    await reader.read();
    source.post(57);
    await reader.read();
    expect(reader.ids.size).toBe(67);
    expect(source.requests).toBe(1 + 7);
    expect(reader.gaps).toEqual([]);
  });

  it('finds everything in a source that was empty at first', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    const reader = readerOf(source);
    await reader.read();
    source.post(35);
    await reader.read();
    expect(reader.ids.size).toBe(35);
  });

  it('finds the newest posts first and closes the gap over several runs', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    const reader = readerOf(source, 2);
    await reader.read();
    source.post(100);
    await reader.read();
    expect(reader.gaps).toHaveLength(1);
    source.post(1);
    await reader.read();
    expect(reader.ids.has('p111')).toBe(true);
    while (reader.gaps.length) await reader.read();
    expect(reader.ids.size).toBe(111);
  });

  it('is not stopped by a known post that is pinned above new ones', async () => {
    const source = new ChangingSource(random, 3, 'by place');
    source.post(1);
    const reader = readerOf(source);
    await reader.read();
    source.post(10);
    source.bump();
    await reader.read();
    expect(reader.ids.size).toBe(11);
  });

  it('keeps what it found when a later page fails, and goes on there next time', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    let broken = false;
    const reader = new Reader((cursor) => {
      if (broken && cursor) throw new FetchFailure('NETWORK_ERROR', 'it answered 500');
      return source.page(cursor);
    });
    await reader.read();
    source.post(30);
    broken = true;
    expect((await reader.read()).error?.message).toBe('it answered 500');
    expect(reader.ids.size).toBe(20);
    broken = false;
    await reader.read();
    expect(reader.ids.size).toBe(40);
  });

  it.each([
    ['others keep the host busy', new OutgoingRequestError('HOST_BUSY', 'it was still busy with 2 other requests')],
    ['its worker has gone', new NoWorker('no worker answers for it')],
  ])('keeps what it found when %s, and goes on there next time', async (_, error) => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    let isAway = false;
    const reader = new Reader((cursor) => {
      if (isAway && cursor) throw error;
      return source.page(cursor);
    });
    await reader.read();
    source.post(30);
    isAway = true;
    expect(await reader.read()).toMatchObject({ error: undefined, gaps: [{ floor: '10' }] });
    expect(reader.ids.size).toBe(20);
    isAway = false;
    await reader.read();
    expect(reader.ids.size).toBe(40);
    expect(reader.gaps).toEqual([]);
  });

  it('walks again from the top when the source no longer accepts the cursor of a gap', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    const reader = readerOf(source, 1);
    await reader.read();
    source.post(40);
    await reader.read();
    const [gap] = reader.gaps;
    const forgetful = new Reader((cursor) => {
      if (cursor === gap?.cursor) throw new FetchFailure('INVALID_COMMAND', 'no such cursor');
      return source.page(cursor);
    });
    Object.assign(forgetful, { ids: reader.ids, gaps: reader.gaps, fetchedBefore: true });
    source.post(11);
    await forgetful.read();
    await forgetful.read();
    expect(forgetful.ids.size).toBe(61);
    expect(forgetful.gaps).toEqual([]);
  });

  it('fails as a whole when the first page does', async () => {
    const reader = new Reader(() => {
      throw new FetchFailure('NOT_FOUND', 'it is not there');
    });
    await expect(reader.read()).rejects.toThrow('it is not there');
  });

  it('ends where a source repeats its cursor', async () => {
    const stuck = new Reader(() => ({ posts: [], nextCursor: 'again' }));
    await stuck.read();
    await stuck.read();
    expect(stuck.gaps).toEqual([]);
  });

  it('goes on over an empty page, whose posts may have been taken down', async () => {
    const source = new ChangingSource(random, 10, 'by place');
    source.post(10);
    const reader = new Reader((cursor) => {
      if (cursor === undefined && reader.ids.size) return { posts: [], nextCursor: 'first' };
      return source.page(cursor === 'first' ? undefined : cursor);
    });
    await reader.read();
    source.post(15);
    await reader.read();
    expect(reader.ids.size).toBe(25);
  });
});

describe('whatever a source does while it is paged', () => {
  const seed = printedSeed();

  it.each<Paging>(['by place', 'by count'])('no post is missed (cursors %s)', async (paging) => {
    for (let world = 0; world < 300; world++) {
      const random = seededRandom(seed + world);
      const { source, reader } = await changingHistory(random, paging);
      await settle(reader);
      expect(reader.gaps).toEqual([]);
      const missing = source.externalIds.filter((id) => !reader.ids.has(id));
      expect(missing, `world ${world} of seed ${seed}`).toEqual([]);
    }
  });
});

/** Reads a source while it changes, with a reader that sometimes dies before it has stored anything. */
async function changingHistory(random: () => number, paging: Paging) {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const source = new ChangingSource(random, 1 + upTo(12), paging);
  let moves = 0;
  let over = false;
  const change = () => {
    if (over) return;
    const act = upTo(9);
    if (act <= 3) source.post(upTo(6));
    if (act === 4 && moves < 4) {
      moves += 1;
      source.bump();
    }
    if (act === 5) source.edit();
    if (act === 6 && paging === 'by place') source.delete();
  };
  const fetchPage = (cursor?: string) => {
    const page = source.page(cursor);
    change();
    return page;
  };
  const reader = new Reader(fetchPage, 6 + upTo(6));
  await reader.read();
  for (let round = 0; round < 15; round++) {
    for (let i = upTo(8); i > 0; i--) change();
    const crash = random() < 0.3;
    const seen = moves;
    await reader.read({ crash });
    // A walk tolerates up to four moved posts at a time.
    if (!crash && !reader.gaps.length) moves -= seen;
  }
  over = true;
  return { source, reader };
}

async function settle(reader: Reader): Promise<void> {
  for (let round = 0; round < 1_000; round++) {
    await reader.read();
    if (!reader.gaps.length && round > 2) return;
  }
}
