import type { Report } from '../../src/cli/conform/conform.command.js';
import { type Habit, startWorker } from '../workers/scripted-worker.js';
import { runMillraceCommand } from './run-millrace-command.js';

export interface Worker {
  habit?: Habit;
  prefetch?: number;
  kind?: 'fetch' | 'scrape';
}

let queues = 0;

/** Starts workers at that RabbitMQ, each with its own queue, and returns what `millrace conform` reports about them. */
export function probing(url: string) {
  return async ({ habit = ({ good }) => good, prefetch = 1, kind = 'fetch' }: Worker, ...args: string[]) => {
    queues += 1;
    const queue = `${kind}.probed${queues}`;
    const worker = await startWorker({ url, queue, prefetch, habit });
    try {
      const given = ['--url', url, '--timeout', '3s', '--json', ...args];
      const { code, out } = await runMillraceCommand(['conform', queue, ...given]);
      return { code, ...byResult(JSON.parse(out)) };
    } finally {
      worker.end();
    }
  };
}

function byResult({ probes }: Report) {
  const told = (wanted: string) =>
    Object.fromEntries(probes.filter(({ result }) => result === wanted).map(({ probe, details }) => [probe, details]));
  return { passed: Object.keys(told('pass')), breaches: told('breach'), skipped: told('skipped') };
}
