import { expect, it } from 'vitest';
import { FloodedMillrace, SHAPES } from './body-flood.js';

// The full form, with 50 bodies of each kind at once, is in test/faults.
it.runIf(process.platform === 'linux')(
  'bodies of 33 MB, of any shape and on every route, are refused without being held in memory',
  { timeout: 120_000 },
  async () => {
    const millrace = await FloodedMillrace.start();
    const { routes } = millrace;
    expect(routes.map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining(['POST /api/v1/imports/start', 'POST /websub/:token', 'POST /sign-in']),
    );
    const [first = { start: '', unit: Buffer.alloc(1) }] = Object.values(SHAPES);
    const all = await millrace.flood({ routes, shape: first, unauthenticated: 3, authenticated: 3 });
    expect(all.wrong).toEqual([]);
    const large = routes.filter(({ url }) => /imports\/start|opml|websub/.test(url));
    for (const shape of Object.values(SHAPES)) {
      const { wrong, growthMb } = await millrace.flood({ routes: large, shape, unauthenticated: 3, authenticated: 6 });
      expect(wrong).toEqual([]);
      expect(growthMb).toBeLessThan(200);
    }
    expect(millrace.process.hasEnded).toBe(false);
  },
);
