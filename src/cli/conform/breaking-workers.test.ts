import { describe, expect, it, vi } from 'vitest';
import { probing, type Worker } from '../../../test/cli/probed.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import {
  answerAll,
  atFirst,
  but,
  crash,
  dataBut,
  failing,
  hasCursor,
  isHuge,
  isPressing,
  isUnknown,
  misunderstanding,
  notJson,
  only,
  silent,
  whenTwice,
} from '../../../test/workers/habits.js';
import { ACCOUNT, type Command, isExpired, post } from '../../../test/workers/scripted-worker.js';
import type { FetchCommand } from '../../contracts/fetch-command.js';
import { PROBES } from './probes.js';

vi.setConfig({ testTimeout: 60_000 });

const probed = probing(rabbitmqUrl());
const ALL = PROBES.map(({ name }) => name);

const NEEDING_GOOD = ['paging', 'duplicate-delivery'];

interface Breaking extends Worker {
  probe: string;
  says: string;
  skipped?: string[];
}
const goodCommand = { probe: 'good-command', skipped: NEEDING_GOOD };
const paging = { probe: 'paging' };
const unknown = { probe: 'unknown-account' };
const malformed = { probe: 'malformed-command' };
const expired = { probe: 'expired-command' };
const duplicate = { probe: 'duplicate-delivery' };
const oversized = { probe: 'oversized-answer' };
const after = (probe: string) => ALL.slice(ALL.indexOf(probe) + 1);

const BREAKING: Record<string, Breaking> = {
  fails: { ...goodCommand, habit: atFirst(failing('AUTH_ERROR')), says: 'answered with AUTH_ERROR (it is AUTH_ERROR)' },
  'is silent': { ...goodCommand, habit: atFirst(silent), says: 'no answer within 3 s' },
  'does not send JSON': { ...goodCommand, habit: atFirst(() => ({ reply: Buffer.from('hello') })), says: 'not JSON' },
  'sends a post without its id': {
    ...goodCommand,
    habit: atFirst(dataBut({ posts: [{ ...post(1), externalId: undefined }] })),
    says: 'the answer breaks the contract: data.posts.0.externalId: ',
  },
  'speaks another version': {
    ...goodCommand,
    habit: atFirst(but({ schemaVersion: 2 })),
    says: 'version 2 is not supported',
  },
  'tells another job': {
    ...goodCommand,
    habit: atFirst(but({ jobId: 'x' })),
    says: 'jobId is "x", not the command\'s',
  },
  'tells another source': { ...goodCommand, habit: atFirst(but({ sourceId: 'x' })), says: 'sourceId is "x", not the' },
  'loses the correlation id': {
    ...goodCommand,
    habit: atFirst((_, { good }) => ({ ...good, correlationId: 'x' })),
    says: 'correlation id is "x", not the',
  },
  'sends the first page for ever': {
    ...paging,
    habit: only(hasCursor, (command) =>
      answerAll({ ...command, params: { ...command.params, cursor: undefined } } as Command),
    ),
    says: 'page 2 repeats post-0 of page 1',
  },
  'stays at one cursor': {
    ...paging,
    habit: only(hasCursor, dataBut({ posts: [], nextCursor: '10', hasMore: true })),
    says: 'page 2 repeats the nextCursor of an earlier page: 10',
  },
  'has more and does not say where': {
    ...paging,
    habit: only(hasCursor, dataBut({ nextCursor: null, hasMore: true })),
    says: 'page 2 has hasMore but no nextCursor',
  },
  'does not know its own cursor': {
    ...paging,
    habit: only(hasCursor, failing('INVALID_COMMAND')),
    says: 'page 2 was answered with INVALID_COMMAND',
  },
  'finds everybody': { ...unknown, habit: only(isUnknown, dataBut({ posts: [] })), says: 'success and 0 posts' },
  'cannot tell why': {
    ...unknown,
    habit: only(isUnknown, failing('UNKNOWN_ERROR')),
    says: 'answered with UNKNOWN_ERROR (it is UNKNOWN_ERROR) instead of NOT_FOUND',
  },
  'hopes for people who are not there': {
    ...unknown,
    habit: only(isUnknown, failing('NOT_FOUND', { retryable: true })),
    says: 'NOT_FOUND must not be retryable',
  },
  'dies of what is not JSON': {
    ...malformed,
    habit: misunderstanding(notJson, crash),
    says: 'not JSON: no answer within 3 s',
    skipped: after('malformed-command'),
  },
  'does not notice that a field is missing': {
    ...malformed,
    habit: misunderstanding(
      ({ externalId, schemaVersion }) => !externalId && schemaVersion === 1,
      ({ body }) => answerAll({ ...(body as FetchCommand), externalId: ACCOUNT }),
    ),
    says: 'no externalId: answered with success instead of INVALID_COMMAND',
  },
  'takes every version for its own': {
    ...malformed,
    habit: misunderstanding(
      ({ schemaVersion }) => schemaVersion === 999,
      ({ body }) => answerAll(body as Command),
    ),
    says: 'schemaVersion 999: answered with success instead of INVALID_COMMAND',
  },
  'works on what nobody waits for': {
    ...expired,
    habit: only(isExpired, answerAll),
    says: 'a command that expired an hour ago was answered',
  },
  'keeps expired commands': {
    ...expired,
    habit: only(isExpired, () => ({ acknowledge: false })),
    says: 'no answer to a good command after expired ones; were they acknowledged?',
    skipped: after('expired-command'),
  },
  'keeps expired commands, and may hold many': {
    ...expired,
    prefetch: 10,
    habit: only(isExpired, () => ({ acknowledge: false })),
    says: 'no answer to a good command after expired ones; were they acknowledged?',
    skipped: after('expired-command'),
  },
  'calls the second of two an error': {
    ...duplicate,
    habit: whenTwice(failing('INVALID_COMMAND')),
    says: 'arrived twice was answered with INVALID_COMMAND',
  },
  'has nothing for the second of two': {
    ...duplicate,
    habit: whenTwice(dataBut({ posts: [] })),
    says: 'the two answers have nothing in common',
  },
  'dies of the second of two': {
    ...duplicate,
    habit: whenTwice(crash),
    says: 'no answer to a good command after one that arrived twice',
    skipped: after('duplicate-delivery'),
  },
  'sends too many posts': {
    ...oversized,
    habit: only(isHuge, dataBut({ posts: Array.from({ length: 1_001 }, (_, number) => post(number)) })),
    says: 'the answer breaks the contract: data.posts: ',
  },
  'sends too many bytes': {
    ...oversized,
    habit: only(isHuge, dataBut({ posts: [{ ...post(1), content: 'x'.repeat(11 * 1024 * 1024) }] })),
    says: 'the answer has 11.0 MB, the maximum is 10.0 MB',
  },
  'gives no answer to large limits': { ...oversized, habit: only(isHuge, silent), says: 'no answer within 3 s' },
  'answers when nobody waits any more': {
    probe: 'slow-answer',
    habit: only(isPressing, (command) => ({ ...answerAll(command), afterMs: 3_200 })),
    says: 'answered after 3.',
  },
  'acknowledges nothing': {
    ...paging,
    habit: ({ good }) => ({ ...good, acknowledge: false }),
    says: 'no answer within 3 s',
    skipped: after('paging'),
  },
};

describe.concurrent('a worker that breaks the contract', () => {
  it.each(Object.entries(BREAKING))('is found: one that %s', async (_, { probe, says, skipped = [], ...worker }) => {
    const seen = await probed(worker);
    expect(seen).toMatchObject({ code: 1, breaches: { [probe]: expect.stringContaining(says) } });
    expect(Object.keys(seen.breaches)).toEqual([probe]);
    expect(Object.keys(seen.skipped)).toEqual(skipped);
  });

  it('is found when an account that exists is not', async () => {
    const { code, breaches } = await probed({}, '--account', 'esa', '--only', 'good-command,paging');
    expect({ code, breaches }).toEqual({
      code: 1,
      breaches: { 'good-command': 'answered with NOT_FOUND (it is NOT_FOUND) instead of success' },
    });
  });
});
