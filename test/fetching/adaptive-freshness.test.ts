import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hiddenPlans } from '../../bench/freshness/hidden.js';
import { makeWorld } from '../../bench/freshness/make-world.js';
import { simulate } from '../../bench/freshness/simulation.js';
import { readTrace, traceOf } from '../../bench/freshness/trace.js';
import { Watching } from '../../bench/freshness/watching.js';
import { adaptive } from '../../src/fetching/intervals/interval-rules.js';
import { tiers } from '../../src/fetching/intervals/tiers.js';

const world = makeWorld({
  seed: 1,
  sources: 120,
  days: 2,
  posts: 'cascades',
  human: true,
  followers: (random) => Math.min(200, Math.floor(random.pareto(1))),
  postsPerDay: (random) => Math.min(100, Math.exp(0.5 + 2 * random.normal())),
});

async function fileOf(lines: Iterable<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trace-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'trace.jsonl'), [...lines].join('\n'));
  return join(folder, 'trace.jsonl');
}

it('with the requests of the tiers, followers wait less than half as long', () => {
  const [plain, adapted] = [simulate(world, { policy: tiers }), simulate(world, { policy: adaptive })];
  expect(adapted.meanDelaySeconds).toBeLessThan(plain.meanDelaySeconds / 2);
  expect(adapted.p95DelaySeconds).toBeLessThan(plain.p95DelaySeconds / 2);
  expect(Math.abs(adapted.requests / plain.requests - 1)).toBeLessThan(0.03);
});

it('sources that post at regular times are fetched within minutes of each post', () => {
  const none = { seed: 3, sources: 60, days: 4, human: false, followers: () => 1, postsPerDay: () => 1 };
  const regular = makeWorld({ ...none, posts: 'plain', machines: 1, periods: [3_600, 7_200, 86_400] });
  const [plain, adapted] = [simulate(regular, { policy: tiers }), simulate(regular, { policy: adaptive })];
  expect(adapted.requests).toBeLessThan(plain.requests * 1.03);
  expect(adapted.meanDelaySeconds).toBeLessThan(600);
  expect(plain.meanDelaySeconds).toBeGreaterThan(3_000);
});

it('hidden worlds are the same for the same seed, and others for another', () => {
  const few = (seed: number) =>
    hiddenPlans(seed, 3).map((plan) => makeWorld({ ...plan, sources: 5 }).sources[4]?.posts);
  expect(few(1)).toEqual(few(1));
  expect(few(1)).not.toEqual(few(2));
});

it('a feed shows as many posts as its world says', () => {
  const posts = Array.from({ length: 60 }, (_, n) => -100 + n);
  const shown = (count?: number) =>
    new Watching({ id: '1', followers: [], posts, ...(count ? { shown: count } : {}) }).shows(0).published.length;
  expect([shown(), shown(10), shown(50)]).toEqual([30, 10, 50]);
});

it('how often a source may be asked is known from its first fetch on', () => {
  const watching = new Watching({ id: '1', minIntervalSeconds: 600, followers: [], posts: [] });
  expect(watching.state.allows).toEqual({});
  expect(watching.shows(0).allows).toEqual({ everySeconds: 600 });
});

describe('a trace', () => {
  it('is the world that it was written from, whatever the order of its lines', async () => {
    const read = await readTrace(await fileOf([...traceOf(world)].reverse()));
    const posts = (id: string) => read.sources.find((source) => source.id === id)?.posts;
    expect(read.sources).toHaveLength(120);
    for (const source of world.sources) expect(posts(source.id)).toEqual(source.posts);
  });

  it('with a line that is no good is refused, and the line named', async () => {
    const good = '{"type":"post","id":"a","at":1.5,"more":true}';
    await expect(readTrace(await fileOf([good, '', '{"type":"post","id":"a"}']))).rejects.toThrow(/line 3: at/);
    await expect(readTrace(await fileOf([good, 'post']))).rejects.toThrow(/line 2/);
  });

  it('counts what followers waited, and only what was published while they were there', async () => {
    const lines = [
      { type: 'source', id: 1, allow: { minIntervalSeconds: 600 } },
      { type: 'followers', id: 1, at: 0, active: 100 },
      { type: 'post', id: 1, at: -50 },
      { type: 'post', id: 1, at: 1 },
      { type: 'followers', id: 1, at: 5_000, active: 0 },
      { type: 'post', id: 1, at: 6_000 },
    ];
    const trace = await readTrace(await fileOf(lines.map((line) => JSON.stringify(line))));
    const { requests, meanDelaySeconds } = simulate(trace, { policy: tiers });
    expect(requests).toBeGreaterThanOrEqual(8);
    expect(requests).toBeLessThanOrEqual(9);
    expect(meanDelaySeconds).toBeGreaterThanOrEqual(599);
    expect(meanDelaySeconds).toBeLessThanOrEqual(660);
  });
});
