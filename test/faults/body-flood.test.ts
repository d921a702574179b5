import { expect, it } from 'vitest';
import { FloodedMillrace, SHAPES } from '../http/body-flood.js';

const MAX_GROWTH_MB = 200;
const MAX_LIVE_MS = 500;

it('50 bodies of 33 MB without a key and 50 with one, of every shape on every route, neither fill nor stall the process', async () => {
  const millrace = await FloodedMillrace.start();
  const { routes } = millrace;
  // What the first requests load and compile is no growth.
  const [first = { start: '', unit: Buffer.alloc(1) }] = Object.values(SHAPES);
  await millrace.flood({ routes, shape: first, unauthenticated: 3, authenticated: 3 });
  for (const [name, shape] of Object.entries(SHAPES)) {
    const flooded = await millrace.flood({ routes, shape, unauthenticated: 50, authenticated: 50 });
    const { wrong, sent, growthMb, slowestLiveMs, slowestComputedMs } = flooded;
    process.stdout.write(
      `${name}: ${sent} bodies on ${routes.length} routes, memory +${Math.round(growthMb)} MB, slowest /health/live ${Math.round(slowestLiveMs)} ms, ${Math.round(slowestComputedMs)} ms without waits for a core\n`,
    );
    expect(wrong).toEqual([]);
    expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
    expect(slowestComputedMs).toBeLessThan(MAX_LIVE_MS);
  }
  expect(millrace.process.hasEnded).toBe(false);
}, 1_800_000);
