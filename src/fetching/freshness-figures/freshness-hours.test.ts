import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { type Config, parseConfig } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { requestBudget } from '../schedule/request-budget.table.js';
import { freshnessHealth, scheduledLastHour } from './freshness-health.js';
import { FreshnessHours, hoursSince } from './freshness-hours.js';

const given = testDatabase();
const NOON = new Date('2026-05-01T12:00:00Z');
const hoursLater = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);
const silent = pino({ level: 'silent' });

class SetClock extends Clock {
  time = NOON;

  override now(): Date {
    return this.time;
  }
}

function newProcess() {
  const clock = new SetClock();
  const periodic = new Periodic({ ...parseConfig({}), roles: new Set() }, silent);
  return { clock, hours: new FreshnessHours(given.database, clock, periodic, silent) };
}

async function statsAt(now: Date, policy: Config['policy'] = 'adaptive') {
  return (await freshnessHealth(given.database.db, { now, policy })).stats;
}

it('adds up what all processes have fetched, and tells of the last day', async () => {
  const [one, other] = [newProcess(), newProcess()];
  one.hours.asked({ broughtNews: true, isScheduled: true, activeFollowers: 10 });
  one.hours.found(60);
  other.hours.asked({ broughtNews: false, isScheduled: false, activeFollowers: 1 });
  other.hours.found(7_200);
  other.hours.found(60);
  for (const { hours } of [one, other]) await hours.store();
  one.clock.time = hoursLater(1);
  one.hours.asked({ broughtNews: false, isScheduled: true, activeFollowers: 0 });
  await one.hours.beforeApplicationShutdown();

  const stats = await statsAt(hoursLater(1.5));
  expect(stats).toMatchObject({ fetches: 3, emptyFetches: 2, savedFetches: 9, budgetPerHour: null });
  expect(stats?.medianDelaySeconds).toBeLessThan(80);
  expect(stats?.p95DelaySeconds).toBeGreaterThan(6_000);
  expect(await statsAt(hoursLater(40))).toMatchObject({ fetches: 0, medianDelaySeconds: null });
});

it('sets against the budget what schedules have fetched, and nothing else', async () => {
  const { hours, clock } = newProcess();
  clock.time = hoursLater(60);
  for (const isScheduled of [true, false, true, false, false])
    hours.asked({ broughtNews: false, isScheduled, activeFollowers: 1 });
  await hours.store();
  expect(await statsAt(hoursLater(60))).toMatchObject({ fetches: 5, fetchesPerHour: 2 });
});

it('tells the budget and the price that keeps it', async () => {
  const row = { price: 500.5, correction: 1, balance: 0, budgetPerHour: 99.6, fetches: 0, lookedAt: NOON };
  await given.database.db.insert(requestBudget).values(row);
  expect(await statsAt(NOON)).toMatchObject({ budgetPerHour: 100, price: 500.5 });
  expect(await statsAt(NOON, 'tiers')).toMatchObject({ budgetPerHour: null, price: null });
});

it('keeps what could not be stored for the next time', async () => {
  const { db } = given.database;
  const { hours, clock } = newProcess();
  clock.time = hoursLater(100);
  await db.execute(sql`ALTER TABLE freshness_hours RENAME TO freshness_hours_away`);
  for (let round = 0; round < 3; round++) {
    hours.asked({ broughtNews: true, isScheduled: true, activeFollowers: 1 });
    await hours.store();
  }
  await db.execute(sql`ALTER TABLE freshness_hours_away RENAME TO freshness_hours`);
  await hours.store();
  expect(await statsAt(hoursLater(100))).toMatchObject({ fetches: 3 });
});

it('forgets what is older than thirty days', async () => {
  const { hours, clock } = newProcess();
  hours.asked({ broughtNews: true, isScheduled: true, activeFollowers: 1 });
  await hours.store();
  clock.time = hoursLater(100 + 31 * 24);
  await hours.forget();
  expect(await hoursSince(given.database.db, new Date(0))).toEqual([]);
});

it('counts of the hour before as much as belongs to the last sixty minutes', () => {
  const hours = [
    { hour: NOON, scheduled: 100 },
    { hour: hoursLater(1), scheduled: 30 },
  ];
  expect(scheduledLastHour(hours, hoursLater(1.75))).toBe(55);
  expect(scheduledLastHour(hours, hoursLater(5))).toBe(0);
});
