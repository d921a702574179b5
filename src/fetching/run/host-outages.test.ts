import { describe, expect, it } from 'vitest';
import { HostOutages } from './host-outages.js';

const HOST = 'site.example';
const at = (seconds: number) => new Date(Date.UTC(2026, 4, 1) + seconds * 1_000);

/** Lets a host fail at each of these seconds. */
function failingAt(...seconds: number[]): HostOutages {
  const outages = new HostOutages();
  for (const second of seconds) outages.failed(HOST, 'refused', { askedAt: at(second), now: at(second) });
  return outages;
}

describe('a host', () => {
  it('is asked while it has failed fewer than five times in a row', () => {
    expect(failingAt(0, 1, 2, 3).find(HOST, at(4))).toBeUndefined();
    expect(failingAt(0, 1, 2, 3, 4).find(HOST, at(5))).toMatchObject({
      since: at(0),
      until: at(34),
      reason: 'refused',
    });
    expect(failingAt(0, 1, 2, 3, 4).find('other.example', at(5))).toBeUndefined();
  });

  it('that answers starts from zero', () => {
    const outages = failingAt(0, 1, 2, 3);
    outages.answered(HOST);
    outages.failed(HOST, 'refused', { askedAt: at(4), now: at(4) });
    expect(outages.find(HOST, at(5))).toBeUndefined();
  });

  it('is asked again after a pause, which doubles with each failure up to a quarter of an hour', () => {
    expect(failingAt(0, 1, 2, 3, 4).find(HOST, at(34))).toBeUndefined();
    expect(failingAt(0, 1, 2, 3, 4, 40).find(HOST, at(41))).toMatchObject({ until: at(100) });
    const long = failingAt(0, 1, 2, 3, 4, ...Array.from({ length: 12 }, (_, round) => 1_000 * (round + 1)));
    expect(long.find(HOST, at(12_001))).toMatchObject({ until: at(12_900) });
  });

  it('is not paused longer for requests that were under way when it was found to be down', () => {
    const outages = failingAt(0, 1, 2, 3, 4);
    outages.failed(HOST, 'refused', { askedAt: at(3), now: at(20) });
    expect(outages.find(HOST, at(21))).toMatchObject({ until: at(34) });
  });

  it('is not taken to be down for failures that lie hours apart', () => {
    expect(failingAt(0, 4_000, 8_000, 12_000, 16_000).find(HOST, at(16_001))).toBeUndefined();
  });
});
