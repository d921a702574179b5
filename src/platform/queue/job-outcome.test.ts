import { DrizzleQueryError } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Circumstances, judge } from './job-outcome.js';
import { GiveUp, LostClaim, RetryLater } from './outcomes.js';

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

  it('is told with what PostgreSQL said, then with what it was asked', () => {
    const error = new DrizzleQueryError('UPDATE x', [1], new Error('deadlock detected'));
    expect(judge(error, calm)).toMatchObject({
      reason: expect.stringMatching(/^deadlock detected: Failed query: UPDATE x/),
    });
  });

  it('is told in words that can be stored, whatever was thrown', () => {
    expect(judge('a\0b', calm)).toMatchObject({ reason: 'ab' });
    expect(judge(new AggregateError([new Error('one'), new Error('two')]), calm)).toMatchObject({ reason: 'one; two' });
  });
});
