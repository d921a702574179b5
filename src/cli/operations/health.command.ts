import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import type { Command } from '../command.js';
import { type Column, table } from '../show/table.js';
import { fromNow } from '../show/times.js';
import { EXIT_CODES, HealthReport, inWords } from './health-report.js';

const CLEAR_SCREEN = '\u001b[H\u001b[2J';

const report = apiAction({
  summary: 'tells how all of it is: alerts, queues, delays, what it stands on',
  options: { watch: { help: 'again and again, until Ctrl+C' } },
  notes:
    'Exit code: 0 healthy, 5 warning, 6 critical, 3 it cannot be reached. With --watch and --json every report is one line.',
  async run({ api, values, terminal, answer }) {
    if (!values.watch) {
      const health = await api.get('/health');
      const seen = read(HealthReport, health);
      answer(health, () => inWords(seen, terminal));
      return EXIT_CODES[seen.status];
    }
    return watchUntil<never>(api, '/health/stream', ({ event, data }) => {
      if (event !== 'health') return undefined;
      const shown = `${terminal.width ? CLEAR_SCREEN : ''}${inWords(read(HealthReport, data), terminal)}\n`;
      terminal.out(values.json ? `${JSON.stringify(data)}\n` : shown);
      return undefined;
    });
  },
});

const Worker = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  roles: z.array(z.string()),
  version: z.string(),
  startedAt: z.string(),
  lastSeenAt: z.string(),
  running: z.array(z.object({ queue: z.string(), running: z.number(), concurrency: z.number() })),
});

const COLUMNS: Column<z.infer<typeof Worker>>[] = [
  { title: 'HOST', show: ({ host }) => host, cuts: true },
  { title: 'PROCESS', show: ({ pid }) => pid, align: 'right' },
  { title: 'ROLES', show: ({ roles }) => roles.join(', ') },
  { title: 'VERSION', show: ({ version }) => version },
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'SEEN', show: ({ lastSeenAt }) => fromNow(lastSeenAt) },
  { title: 'JOBS', show: ({ running }) => running.reduce((sum, pool) => sum + pool.running, 0), align: 'right' },
  { title: 'AT MOST', show: ({ running }) => running.reduce((sum, pool) => sum + pool.concurrency, 0), align: 'right' },
];

const workers = apiAction({
  word: 'workers',
  summary: 'lists the processes that run jobs',
  options: {},
  async run({ api, terminal, answer }) {
    const listed = await api.get('/workers');
    return answer(listed, () => table(COLUMNS, read(z.object({ items: z.array(Worker) }), listed).items, terminal));
  },
});

export const health: Command = {
  name: 'health',
  summary: 'tells how all of it is; its exit code does, too',
  actions: [report, workers],
};
