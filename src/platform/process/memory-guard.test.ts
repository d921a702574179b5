import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config.js';
import { Metrics } from '../metrics/metrics.js';
import { Periodic } from '../time/periodic.js';
import { Heap, MemoryGuard } from './memory-guard.js';

/** A heap of a given size, some of which a collection frees. */
class PretendedHeap extends Heap {
  collections = 0;

  constructor(
    public livePercent: number,
    public garbagePercent = 0,
  ) {
    super();
  }

  override usedPercent() {
    return this.livePercent + this.garbagePercent;
  }

  override collectGarbage() {
    this.collections += 1;
    this.garbagePercent = 0;
  }
}

function guardOf(heap: Heap) {
  const log = pino({ level: 'silent' });
  const config = parseConfig({ MILLRACE_MEMORY_SHARE: '80' });
  const guard = new MemoryGuard(heap, new Periodic(config, log), config, log, new Metrics(log));
  const changes: boolean[] = [];
  guard.onChange((isLow) => changes.push(isLow));
  return { guard, changes };
}

describe('MemoryGuard', () => {
  it('refuses heavy work above the limit, and until the heap is well below it', () => {
    const heap = new PretendedHeap(80);
    const { guard, changes } = guardOf(heap);
    const states = [80, 81, 79, 71, 70, 80, 81].map((percent) => {
      heap.livePercent = percent;
      guard.sample();
      return guard.isLow;
    });
    expect(states).toEqual([false, true, true, true, false, false, true]);
    expect(changes).toEqual([true, false, true]);
    expect(() => guard.requireMemory()).toThrow(
      expect.objectContaining({ code: 'memory_low', status: 503, headers: { 'Retry-After': '10' } }),
    );
  });

  it('takes work while only garbage fills the heap', () => {
    const heap = new PretendedHeap(40, 50);
    const { guard, changes } = guardOf(heap);
    guard.sample();
    expect({ changes, collections: heap.collections }).toEqual({ changes: [], collections: 1 });
    expect(() => guard.requireMemory()).not.toThrow();
  });

  it('collects garbage seldom, however full the heap is', () => {
    const heap = new PretendedHeap(95);
    const { guard } = guardOf(heap);
    for (let times = 0; times < 20; times++) guard.sample();
    expect(heap.collections).toBe(1);
  });

  it('tells who asks later that memory is low', () => {
    const { guard } = guardOf(new PretendedHeap(95));
    guard.sample();
    const changes: boolean[] = [];
    guard.onChange((isLow) => changes.push(isLow));
    expect(changes).toEqual([true]);
  });
});

it('the heap of a process grows with what it holds, and shrinks when that is collected', () => {
  const heap = new Heap();
  heap.collectGarbage();
  const before = heap.usedPercent();
  const held: number[][] = [];
  for (let mb = 0; mb < 100; mb++) held.push(new Array(131_072).fill(0.5));
  heap.collectGarbage();
  const during = heap.usedPercent();
  held.length = 0;
  heap.collectGarbage();
  expect(during).toBeGreaterThan(before + 1);
  expect(heap.usedPercent()).toBeLessThan(during - 1);
});
