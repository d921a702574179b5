import { describe, expect, it } from 'vitest';
import type { JobOutcome } from './outcomes.js';
import { type Feature, judgeWork, type WorkReport } from './work-result.js';

const feature: Feature = { name: 'baking', results: { baked: 'success', burnt: 'failure', closed: 'neutral' } };
const failed: JobOutcome = { kind: 'failed', reason: 'r', stack: 's', final: true };
const later: JobOutcome = { kind: 'later', until: new Date(), reason: 'r' };
const judged = (outcome: JobOutcome, report: WorkReport = {}, of: Feature | undefined = feature) => {
  const { result, kind } = judgeWork({ feature: of, jobName: 'bake', outcome, report });
  return [result, kind];
};

describe('what came of the work', () => {
  it('is what the handler reports of a run that is done', () => {
    expect(judged({ kind: 'done' }, { result: 'baked' })).toEqual(['baked', 'success']);
    expect(judged({ kind: 'done' }, { result: 'burnt' })).toEqual(['burnt', 'failure']);
    expect(judged({ kind: 'done' })).toEqual([null, 'neutral']);
  });

  it('is a failure of a run that failed, whatever it has reported', () => {
    expect(judged(failed, { result: 'burnt' })).toEqual(['burnt', 'failure']);
    expect(judged(failed, { result: 'baked' })).toEqual(['error', 'failure']);
    expect(judged(failed)).toEqual(['error', 'failure']);
  });

  it('is no success of a run that was put off', () => {
    expect(judged(later, { result: 'closed' })).toEqual(['closed', 'neutral']);
    expect(judged(later, { result: 'baked' })).toEqual(['postponed', 'neutral']);
  });

  it.each(['nothing-to-do', 'superseded', 'given-back'] as const)('is nothing of a run that is %s', (kind) => {
    expect(judged({ kind }, { result: 'baked' })).toEqual([null, 'neutral']);
  });

  it('is that it is done where a job has no feature', () => {
    expect(judgeWork({ feature: undefined, jobName: 'bake', outcome: { kind: 'done' }, report: {} })).toMatchObject({
      feature: 'bake',
      result: 'done',
      kind: 'success',
    });
  });
});
