import { expect, it, onTestFinished } from 'vitest';
import { DatabaseTime, databaseTime, replaceDateNow } from './database-time.js';

const NOON = Date.parse('2026-11-17T12:00:00Z');
const FIVE_MINUTES = 300_000;

/** A process whose machine is ahead of the database. Only the test advances the time. */
function newProcess({ aheadMs }: { aheadMs: number }) {
  let passed = 0;
  let ahead = aheadMs;
  let databaseStep = 0;
  const time = new DatabaseTime(
    () => 5_000 + passed,
    () => NOON + passed + ahead,
  );
  const database = () => NOON + passed + databaseStep;
  return {
    time,
    database,
    pass: (ms: number) => (passed += ms),
    stepMachine: (ms: number) => (ahead += ms),
    stepDatabase: (ms: number) => (databaseStep += ms),
    /** The database reads its clock after `thereMs` of the whole way. */
    read(thereMs = 1, backMs = 1) {
      const sentMs = 5_000 + passed;
      passed += thereMs;
      const databaseMs = database();
      passed += backMs;
      time.synchronise({ databaseMs, sentMs, receivedMs: 5_000 + passed });
    },
    lateMs: () => database() - time.nowMs(),
  };
}

it.each([0, FIVE_MINUTES, -FIVE_MINUTES])('tells the database’s time with a clock that is %i ms ahead', (aheadMs) => {
  const { time, read, pass, lateMs } = newProcess({ aheadMs });
  read();
  pass(3_600_000);
  expect(lateMs()).toBe(1);
  expect(time.skewMs()).toBe(aheadMs);
});

it('goes on when the machine’s clock is set', () => {
  const { time, read, stepMachine, lateMs } = newProcess({ aheadMs: 0 });
  read();
  stepMachine(-FIVE_MINUTES);
  expect(lateMs()).toBe(1);
  expect(time.skewMs()).toBe(-FIVE_MINUTES);
});

it('follows a step of the database’s clock, however slow the answer is', () => {
  const { time, read, stepDatabase, lateMs } = newProcess({ aheadMs: 0 });
  read();
  stepDatabase(FIVE_MINUTES);
  read(100, 100);
  expect(lateMs()).toBe(100);
  stepDatabase(-FIVE_MINUTES);
  read(100, 100);
  expect(lateMs()).toBe(100);
  expect(time.skewMs()).toBe(0);
});

it('is never ahead of the database, whichever way is the slow one', () => {
  for (const [there, back] of [
    [1_500, 1],
    [1, 1_500],
  ]) {
    const { read, lateMs } = newProcess({ aheadMs: FIVE_MINUTES });
    read(there, back);
    expect(lateMs()).toBe(back);
  }
});

it('does not take a slow answer for a fast one', () => {
  const { read, pass, lateMs } = newProcess({ aheadMs: FIVE_MINUTES });
  read();
  pass(5_000);
  read(10, 400);
  expect(lateMs()).toBe(1);
});

it('waits for no time that the database took from its own clock just now', () => {
  const { time, database, read, pass } = newProcess({ aheadMs: 0 });
  read(2, 40);
  expect(time.nowMs()).toBeLessThan(database());
  expect(time.msUntil(new Date(database()))).toBe(0);
  pass(5_000);
  expect(time.msUntil(new Date(database()))).toBe(0);
  expect(time.msUntil(new Date(database() + 60_000))).toBeGreaterThan(59_000);
});

it('waits by the machine’s clock before it has read the database’s', () => {
  const { time } = newProcess({ aheadMs: 0 });
  expect(time.msUntil(new Date(time.nowMs() + 60_000))).toBe(60_000);
});

it('says nothing of the machine’s clock before it has read the database’s', () => {
  expect(newProcess({ aheadMs: FIVE_MINUTES }).time.skewMs()).toBe(0);
});

it('is what Date.now() tells, until that is undone', () => {
  const original = Date.now;
  const undo = replaceDateNow();
  onTestFinished(undo);
  expect(Date.now()).toBeGreaterThanOrEqual(databaseTime.nowMs() - 1_000);
  expect(Date.now).not.toBe(original);
  expect(Number.isInteger(Date.now())).toBe(true);
  undo();
  expect(Date.now).toBe(original);
});
