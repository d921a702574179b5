import { describe, expect, it } from 'vitest';
import { toInstant, toWallClock, WallClock, Zone } from './wall-clock.js';

const at = (wallClock: string, zone: string) => toInstant(wallClock, zone).toISOString().slice(0, 16);

describe('a time that is skipped moves forward by what clocks skip', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30', '2026-03-29T03:30'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30', '2026-03-08T03:30'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45', '2026-10-04T02:45'],
    ['Africa/Casablanca', '2025-04-06T02:30', '2025-04-06T02:30', '2025-04-06T03:30'],
    ['America/Sao_Paulo', '2018-11-04T00:30', '2018-11-04T03:30', '2018-11-04T01:30'],
    ['Pacific/Apia', '2011-12-30T09:00', '2011-12-30T19:00', '2011-12-31T09:00'],
  ])('%s, %s', (zone, wallClock, instant, shown) => {
    expect(at(wallClock, zone)).toBe(instant);
    expect(toWallClock(toInstant(wallClock, zone), zone)).toBe(shown);
  });
});

describe('of a time that comes twice the first is meant', () => {
  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
    ['Africa/Casablanca', '2025-02-23T02:30', '2025-02-23T01:30'],
    ['America/Sao_Paulo', '2018-02-17T23:30', '2018-02-18T01:30'],
  ])('%s, %s', (zone, wallClock, instant) => {
    expect(at(wallClock, zone)).toBe(instant);
    expect(toWallClock(toInstant(wallClock, zone), zone)).toBe(wallClock);
  });
});

describe('a time that comes once is that time', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
    ['Europe/Berlin', '2026-03-28T23:59', '2026-03-28T22:59'],
    ['Europe/Berlin', '2026-10-25T01:30', '2026-10-24T23:30'],
    ['Asia/Kolkata', '2026-03-29T02:30', '2026-03-28T21:00'],
    ['America/Sao_Paulo', '2026-11-01T00:30', '2026-11-01T03:30'],
    ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00'],
    ['UTC', '2024-02-29T12:00:30', '2024-02-29T12:00'],
  ])('%s, %s', (zone, wallClock, instant) => expect(at(wallClock, zone)).toBe(instant));
});

describe('every half hour of the days around a change is shown as other calendars do, and found again', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Africa/Casablanca', '2025-02-23'],
    ['Pacific/Apia', '2011-12-30'],
    ['Asia/Kolkata', '2026-03-29'],
  ])('%s, %s', (zone, day) => {
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    const middle = Date.parse(`${day}T00:00:00Z`);
    for (let ms = middle - 86_400_000; ms < middle + 172_800_000; ms += 1_800_000) {
      const shown = toWallClock(new Date(ms), zone);
      expect(shown).toBe(calendar.format(ms).replace(' ', 'T'));
      const found = toInstant(shown, zone);
      expect(found.getTime()).toBeLessThanOrEqual(ms);
      expect(toWallClock(found, zone)).toBe(shown);
    }
  });
});

it('knows zones by their names alone, however they are capitalised', () => {
  expect(Zone.parse('europe/berlin')).toBe('Europe/Berlin');
  expect(Zone.parse('UTC')).toBe('UTC');
  for (const text of ['Europe/Atlantis', '+02:00', '', 'Europe/Berlin ', '-05', 'x'.repeat(200)]) {
    expect(Zone.safeParse(text).success, text).toBe(false);
  }
});

it('takes what a calendar and a clock can show', () => {
  for (const text of ['2026-03-29T02:30', '2024-02-29T23:59:59']) expect(WallClock.safeParse(text).success).toBe(true);
  const wrong = ['2026-02-29T10:00', '2026-13-01T10:00', '2026-01-01T24:00', '2026-01-01T10:00Z', '2026-01-01', '9:00'];
  for (const text of wrong) expect(WallClock.safeParse(text).success, text).toBe(false);
});
