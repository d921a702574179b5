import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FetchCommand } from '../src/contracts/fetch-command.js';
import { FetchResult } from '../src/contracts/fetch-result.js';
import { isRetryable, type RemoteError, RemoteErrorCode } from '../src/contracts/remote-error.js';
import { ScrapeJobMessage } from '../src/contracts/scrape-job-message.js';
import { breaches } from '../src/platform/broker/breaches.js';
import { PUBLISHED, type Published, renderSchema } from './render-contracts.js';

interface Example {
  contract: Published;
  valid: boolean;
  because: string;
  /** Where an invalid one breaks the contract; empty for the message as a whole. */
  names?: string;
  message: unknown;
}

const NAMES = Object.keys(PUBLISHED) as Published[];
const IN_THE_PYTHON_KIT = NAMES.filter((name) => !name.startsWith('scrape-job-'));
// The tests of the Python kit validate the same examples against the published schemas.
const EXAMPLES: Example[] = JSON.parse(readFileSync(new URL('../contracts/examples.json', import.meta.url), 'utf8'));
const GOOD = EXAMPLES.filter(({ valid }) => valid);
const BAD = EXAMPLES.filter(({ valid }) => !valid);

describe('the published JSON Schemas', () => {
  it.each(NAMES)('contracts/%s.schema.json is what Millrace checks (vitest -u writes it)', async (name) => {
    await expect(renderSchema(name)).toMatchFileSnapshot(`../contracts/${name}.schema.json`);
  });

  it.each(IN_THE_PYTHON_KIT)('the Python kit ships %s.schema.json alike', async (name) => {
    const shipped = `../workers/python/millrace_worker/contracts/${name}.schema.json`;
    await expect(renderSchema(name)).toMatchFileSnapshot(shipped);
  });
});

describe('a message at the border', () => {
  it.each(GOOD)('is accepted as a $contract: $because', ({ contract, message }) => {
    expect(breachOf(contract, message)).toBeUndefined();
  });

  it.each(BAD)('is refused as a $contract, naming "$names": $because', ({ contract, names, message }) => {
    expect(breachOf(contract, message)).toMatch(new RegExp(`^${(names || 'message').replaceAll('.', '\\.')}: `));
  });

  it('has good and bad examples of every contract', () => {
    expect(new Set(GOOD.map(({ contract }) => contract))).toEqual(new Set(NAMES));
    expect(new Set(BAD.map(({ contract }) => contract))).toEqual(new Set(NAMES));
  });
});

describe('what is made of a message', () => {
  it('names the supported version when another is refused', () => {
    const { message } = example('fetch-command', 'another version is refused');
    expect(breachOf('fetch-command', message)).toBe('schemaVersion: version 2 is not supported, only version 1 is');
  });

  it('has null in no optional place, and in every other what saying nothing means', () => {
    const command = FetchCommand.parse(example('fetch-command', 'null is as good as absent').message);
    expect(command).toMatchObject({ schemaVersion: 1, params: { limit: undefined }, timeout: undefined });
    const result = FetchResult.parse(example('fetch-result', 'null is as good as absent').message);
    expect(result).toMatchObject({
      data: { nextCursor: undefined, posts: [{ mediaUrls: [], contentFormat: 'html', title: undefined }] },
    });
    const job = ScrapeJobMessage.parse(example('scrape-job-message', 'null is as good as absent').message);
    expect(job).toMatchObject({ schema_version: 1, keywords: [], filters: {}, industry: undefined });
  });

  it('has ids as text, however they were sent', () => {
    const job = ScrapeJobMessage.parse(example('scrape-job-message', 'ids may be numbers').message);
    expect(job).toMatchObject({ job_id: '17', user_id: '3' });
  });

  it('has no fields that are not known', () => {
    const { message } = example('fetch-command', 'fields that are not known yet are let through');
    expect(FetchCommand.parse(message)).not.toHaveProperty('newField');
  });
});

describe('breaches', () => {
  it('tells at most five, and how many more there are', () => {
    const posts = Array.from({ length: 8 }, () => ({ ...post(), externalId: '' }));
    const text = breachOf('fetch-result', success({ posts, hasMore: false })) ?? '';
    expect(text.split('; ')).toHaveLength(6);
    expect(text).toMatch(/^data\.posts\.0\.externalId: .*; data\.posts\.4\.externalId: .*; and 3 more$/);
  });

  it('tells when a page has more than a thousand posts', () => {
    const posts = Array.from({ length: 1_001 }, post);
    expect(breachOf('fetch-result', success({ posts, hasMore: false }))).toMatch(/^data\.posts: /);
  });
});

describe('an error', () => {
  it('is worth another try by its code', () => {
    const codes = RemoteErrorCode.options.filter((code) => isRetryable(error({ code })));
    expect(codes).toEqual(['NETWORK_ERROR', 'TIMEOUT_ERROR', 'UNKNOWN_ERROR']);
  });

  it('is what the worker says, if it says so', () => {
    expect(isRetryable(error({ code: 'UNKNOWN_ERROR', retryable: false }))).toBe(false);
    expect(isRetryable(error({ code: 'AUTH_ERROR', retryable: true }))).toBe(true);
  });
});

function breachOf(contract: Published, message: unknown): string | undefined {
  const { error } = PUBLISHED[contract].schema.safeParse(message);
  return error && breaches(error);
}

function example(contract: Published, because: string): Example {
  const found = EXAMPLES.find((one) => one.contract === contract && one.because === because);
  if (!found) throw new Error(`contracts/examples.json has no ${contract} of which ${because}`);
  return found;
}

function success(data: object) {
  return { jobId: 'j', sourceId: 's', status: 'success', data, timestamp: '2026-01-31T12:00:00Z', processingTime: 1 };
}

function post() {
  const author = { username: 'nasa', displayName: 'NASA' };
  return { externalId: 'p', content: '', publishedAt: '2026-01-31T12:00:00Z', author };
}

function error(given: Pick<RemoteError, 'code'> & Partial<RemoteError>): RemoteError {
  return { message: '', details: undefined, retryable: undefined, ...given };
}
