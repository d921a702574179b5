import { describe, expect, it, vi } from 'vitest';
import { probing, type Worker } from '../../../test/cli/probed.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import {
  atFirst,
  dataBut,
  failing,
  isHuge,
  isPressing,
  only,
  silent,
  whenTwice,
} from '../../../test/workers/habits.js';
import { isExpired, post } from '../../../test/workers/scripted-worker.js';
import { PROBES } from './probes.js';

vi.setConfig({ testTimeout: 60_000 });

const probed = probing(rabbitmqUrl());
const ALL = PROBES.map(({ name }) => name);

describe.concurrent('a worker that does what it should', () => {
  it.each<[string, Worker]>([
    ['one at a time', {}],
    ['many at a time', { prefetch: 50 }],
    ['and leaves out what comes twice', { habit: whenTwice(silent) }],
    ['and refuses large limits', { habit: only(isHuge, failing('INVALID_COMMAND')) }],
    ['and never answers late', { habit: only(isPressing, silent) }],
    [
      'and sends more than was asked for',
      { habit: atFirst(dataBut({ posts: Array.from({ length: 30 }, (_, n) => post(n)) })) },
    ],
  ])('conforms: %s', async (_, worker) => {
    expect(await probed(worker)).toEqual({ code: 0, passed: ALL, breaches: {}, skipped: {} });
  });

  it('conforms: a scraper, which knows no accounts', async () => {
    const { code, passed, breaches, skipped } = await probed({ kind: 'scrape' });
    expect({ code, breaches, skipped }).toEqual({
      code: 0,
      breaches: {},
      skipped: { 'unknown-account': 'scrape commands have no account' },
    });
    expect(passed).toHaveLength(ALL.length - 1);
  });

  it('conforms: one that takes its time for each command', async () => {
    const slow: Worker = { habit: ({ good }) => ({ ...good, afterMs: 1_800 }) };
    expect(await probed(slow, '--only', 'duplicate-delivery')).toMatchObject({ code: 0, breaches: {} });
  });

  it('cannot be judged if it does not know the account, which was only guessed', async () => {
    const habit = only((command) => 'externalId' in command && !isExpired(command), failing('NOT_FOUND'));
    const { code, breaches, skipped } = await probed({ habit });
    expect({ code, breaches, skipped }).toEqual({
      code: 2,
      breaches: {},
      skipped: {
        'good-command': 'account nasa does not exist; name another with --account',
        paging: 'needs good-command to pass',
        'duplicate-delivery': 'needs good-command to pass',
      },
    });
  });
});
