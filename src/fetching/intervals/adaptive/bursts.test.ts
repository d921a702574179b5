import { expect, it } from 'vitest';
import { HYPOTHESES, noBursts, observe, trust } from './bursts.js';

const HOUR = 3_600;
const DAY = 86_400;
const flat = HYPOTHESES.findIndex(({ share }) => share === 0);

/** Returns the evidence after some days with posts at these times, where 24 a day are usual. */
function after(days: number, times: number[]) {
  const usual = 24 / DAY;
  const bursts = noBursts();
  const own = observe(bursts, { from: 0, to: days * DAY, times, usualAt: () => usual, usual: usual * days * DAY });
  return { bursts, own };
}

const evenly = Array.from({ length: 240 }, (_, n) => n * HOUR + 1_800);
/** Twelve posts within ten minutes, twice a day. */
const inBursts = Array.from({ length: 240 }, (_, n) => Math.floor(n / 12) * 12 * HOUR + (n % 12) * 50);

it('trusts that posts stand alone until they prove otherwise', () => {
  const trusted = trust(noBursts().evidence);
  expect(trusted.reduce((sum, one) => sum + one)).toBeCloseTo(1);
  expect(Math.max(...trusted)).toBe(trusted[flat]);
});

it('learns that a source does not burst', () => {
  expect(trust(after(10, evenly).bursts.evidence)[flat]).toBeGreaterThan(0.9);
});

it('learns that a source bursts', () => {
  expect(trust(after(10, inBursts).bursts.evidence)[flat]).toBeLessThan(0.01);
});

it('takes the first post of a burst for one of its own, and the others for its echo', () => {
  const { own } = after(10, inBursts);
  expect(own[228]).toBeGreaterThan(0.8);
  expect(own[239]).toBeLessThan(0.3);
});

it('lets echoes die away', () => {
  const { bursts } = after(10, [10 * DAY - 60]);
  expect(bursts.echoes[0]).toBeGreaterThan(0.8);
  observe(bursts, { from: 10 * DAY, to: 11 * DAY, times: [], usualAt: () => 0, usual: 0 });
  expect(bursts.echoes[0]).toBeLessThan(1e-9);
});
