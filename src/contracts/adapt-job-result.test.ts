import { describe, expect, it } from 'vitest';
import { adaptJobResult } from './adapt-job-result.js';
import { ScrapeJobResult } from './scrape-job-result.js';

const read = (message: unknown) => ScrapeJobResult.safeParse(adaptJobResult(message).message);

describe('a result in the form of a worker that a team wrote', () => {
  it.each([
    ['Success', 'completed'],
    ['DONE', 'completed'],
    ['in progress', 'running'],
    ['error', 'failed'],
    ['partial', 'partial'],
  ])('may say %s, which means %s', (status, meaning) => {
    expect(read({ job_id: 7, status }).data).toMatchObject({ job_id: '7', status: meaning, leads: [] });
  });

  it('may have names in camelCase, leads in data, and texts instead of lists', () => {
    const lead = {
      companyName: 'Mill',
      website: 'https://mill.example',
      email: 'a@mill.example',
      phone: '1',
      rawPayload: 1,
    };
    const result = { jobId: 'j', sourceType: 'web', status: 'completed', data: { leads: [lead] }, totalFound: 9 };
    expect(read(result).data).toMatchObject({
      job_id: 'j',
      source_type: 'web',
      counts: { total_found: 9 },
      leads: [{ name: 'Mill', domain: 'https://mill.example', emails: ['a@mill.example'], phones: ['1'], raw: 1 }],
    });
  });

  it('may have an error of any shape', () => {
    const error = (given: unknown) => read({ job_id: 'j', status: 'failed', error: given }).data?.error;
    expect(error({ code: 'BLOCKED', message: 'the site blocked us' })).toBe('the site blocked us');
    expect(error({ code: 'BLOCKED' })).toBe('BLOCKED');
    expect(error({ line: 3 })).toBe('{"line":3}');
    expect(error(null)).toBeUndefined();
  });

  it('says what to send instead, once for each form, and nothing about the published form', () => {
    const leads = [{ company_name: 'a' }, { company_name: 'b' }];
    const { preferred } = adaptJobResult({ job_id: 'j', status: 'ok', leads });
    expect(preferred).toEqual(['running, completed, partial or failed as status', 'name instead of company_name']);
    const published = { job_id: 'j', status: 'completed', leads: [{ name: 'a', email: undefined }], counts: {} };
    expect(adaptJobResult(published)).toEqual({ message: published, preferred: [] });
  });

  it('keeps a name that is given in both forms', () => {
    const lead = { name: 'Mill', company_name: 'Mill Ltd', domain: null, website: 'mill.example' };
    expect(read({ job_id: 'j', status: 'ok', leads: [lead] }).data?.leads).toMatchObject([
      { name: 'Mill', domain: 'mill.example' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no status', { job_id: 'j', leads: [] }, 'status'],
    ['another status', { job_id: 'j', status: 'paused' }, 'status'],
    ['no id', { status: 'ok' }, 'job_id'],
    ['a lead without a name', { job_id: 'j', status: 'ok', leads: [{ website: 'x.example' }] }, 'name'],
    ['leads that are no list', { job_id: 'j', status: 'ok', leads: {} }, 'leads'],
    ['an error that is a number', { job_id: 'j', status: 'failed', error: 7 }, 'error'],
  ])('is refused with the name of the field for %s', (_, message, field) => {
    expect(read(message).error?.issues.map(({ path }) => path.at(-1))).toContain(field);
  });

  it.each([null, 'text', 7, [], [1]])('is refused if it is not an object: %j', (message) => {
    expect(read(message).success).toBe(false);
  });
});
