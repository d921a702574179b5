import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { type Circumstances, GiveUp, judge, LostClaim, RetryLater } from './outcomes.js';

const given = testDatabase();
const calm: Circumstances = { lastAttempt: false, aborted: false, stopping: false };

describe('how a run ended', () => {
  it.each<[string, unknown, Partial<Circumstances>, object]>([
    ['later, when it asks for it', new RetryLater(new Date(0), 'busy'), {}, { kind: 'later', reason: 'busy' }],
    ['for good, when it gives up', new GiveUp('gone'), {}, { kind: 'failed', reason: 'gone', final: true }],
    ['for good, at its last attempt', new Error('no'), { lastAttempt: true }, { kind: 'failed', final: true }],
    ['to be tried again otherwise', new Error('no'), {}, { kind: 'failed', reason: 'no', final: false }],
    ['superseded, when another has its row', new LostClaim('taken'), {}, { kind: 'superseded' }],
    ['given back, when Millrace stops', new Error('no'), { aborted: true, stopping: true }, { kind: 'given-back' }],
    ['superseded, when another has the job', new Error('no'), { aborted: true }, { kind: 'superseded' }],
  ])('is %s', (_, error, more, outcome) => {
    expect(judge(error, { ...calm, ...more })).toMatchObject(outcome);
  });

  it('is described without the parameters of a statement that failed', async () => {
    const failing = given.database.db.execute(sql`SELECT ${'a hash'}::int`);
    const outcome = judge(await failing.catch((error: unknown) => error), calm);
    expect(outcome).toMatchObject({ reason: 'invalid input syntax for type integer: "a hash"' });
    const lost = given.database.db.execute(sql`SELECT pg_terminate_backend(pg_backend_pid()), ${'a hash'}::text`);
    const afterLoss = judge(await lost.catch((error: unknown) => error), calm);
    expect(afterLoss).toMatchObject({ reason: 'terminating connection due to administrator command' });
    expect(JSON.stringify(afterLoss)).not.toMatch(/a hash|params|SELECT/);
  });

  it('has a reason that can be stored, whatever was thrown', () => {
    expect(judge('a\0b', calm)).toMatchObject({ reason: 'ab' });
    expect(judge(new AggregateError([new Error('one'), new Error('two')]), calm)).toMatchObject({ reason: 'one; two' });
  });
});
