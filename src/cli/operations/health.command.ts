import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { type Command, EXIT, type Terminal } from '../command.js';
import { coloured, colourOf } from '../show/colour.js';
import { printable } from '../show/printable.js';
import { type Column, facts, table } from '../show/table.js';
import { fromNow, howLong, localTime } from '../show/times.js';

/** The health of all, as far as it is shown. */
const HealthReport = z.object({
  status: z.enum(['healthy', 'warning', 'critical']),
  checkedAt: z.string(),
  stats: z.object({
    workers: z.object({ available: z.number(), expected: z.number() }),
    queues: z.object({
      waiting: z.number(),
      waitingRows: z.number(),
      active: z.number(),
      delayed: z.number(),
      failedLastHour: z.number(),
    }),
    jobs: z.object({ donePerMinute: z.number(), failedPerMinute: z.number(), errorRate: z.number() }),
    fetching: z.object({
      sources: z.number(),
      active: z.number(),
      failing: z.number(),
      stale: z.number(),
      medianDelaySeconds: z.number().nullable(),
      p95DelaySeconds: z.number().nullable(),
    }),
    freshness: z.object({
      medianDelaySeconds: z.number().nullable(),
      p95DelaySeconds: z.number().nullable(),
      fetches: z.number(),
      emptyFetches: z.number(),
      savedFetches: z.number(),
      fetchesPerHour: z.number(),
      budgetPerHour: z.number().nullable(),
    }),
    features: z.array(z.object({ feature: z.string(), ended: z.number(), failed: z.number(), errorRate: z.number() })),
    publishing: z.object({
      due: z.number(),
      oldestDueSeconds: z.number().nullable(),
      publishedLastHour: z.number(),
      failedLastHour: z.number(),
      successRate: z.number().nullable(),
      pools: z.object({ busy: z.number(), size: z.number(), utilisation: z.number().nullable() }),
    }),
    deadLetters: z.object({ open: z.number() }),
    dependencies: z.array(z.object({ name: z.string(), status: z.string(), detail: z.string().nullable() })),
  }),
  alerts: z.array(
    z.object({ code: z.string(), severity: z.enum(['warning', 'critical']), message: z.string(), since: z.string() }),
  ),
});

const EXIT_CODES = { healthy: EXIT.done, warning: EXIT.warning, critical: EXIT.critical } as const;

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
  {
    title: 'AT MAX_COUNT',
    show: ({ running }) => running.reduce((sum, pool) => sum + pool.concurrency, 0),
    align: 'right',
  },
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

type HealthReport = z.infer<typeof HealthReport>;

/** Of the last day. */
function freshnessInWords(freshness: HealthReport['stats']['freshness']): string {
  const { fetches, emptyFetches, savedFetches, fetchesPerHour, budgetPerHour } = freshness;
  if (!fetches) return 'nothing was fetched in the last 24 hours';
  const used = budgetPerHour ? `, ${percent(fetchesPerHour / budgetPerHour)} of the budget used` : '';
  const asked = fetches === 1 ? '1 fetch' : `${fetches.toLocaleString('en')} fetches`;
  const spared = savedFetches.toLocaleString('en');
  return `in 24 hours ${delays(freshness)}; ${asked}, ${percent(emptyFetches / fetches)} of them empty, ${spared} saved by sharing${used}`;
}

function delays({
  medianDelaySeconds,
  p95DelaySeconds,
}: Pick<HealthReport['stats']['fetching'], 'medianDelaySeconds' | 'p95DelaySeconds'>): string {
  if (medianDelaySeconds === null || p95DelaySeconds === null) return 'not known yet';
  return `${howLong(medianDelaySeconds)} in the middle, ${howLong(p95DelaySeconds)} or more for the slowest 5 %`;
}

function workInWords(features: HealthReport['stats']['features']): string {
  const shown = features.filter(({ ended }) => ended);
  if (!shown.length) return 'nothing was done lately';
  return shown.map(({ feature, errorRate }) => `${percent(errorRate)} of ${feature} fails`).join(', ');
}

/** Beside the targets: fewer than 100 due, none for longer than 5 minutes, above 99 % published, pools 70 to 90 % busy. */
function publishingInWords(publishing: HealthReport['stats']['publishing']): string {
  const { due, oldestDueSeconds, publishedLastHour, failedLastHour, successRate, pools } = publishing;
  const since = oldestDueSeconds === null ? '' : `, the oldest for ${howLong(oldestDueSeconds)}`;
  const rate = successRate === null ? '' : ` (${percent(successRate)} succeeded)`;
  const busy = `${pools.busy} of ${pools.size} workers busy`;
  return `${due} due${since}; in the last hour ${publishedLastHour} out and ${failedLastHour} failed${rate}; ${busy}`;
}

function inWords({ status, checkedAt, stats, alerts }: HealthReport, { colours }: Terminal): string {
  const { workers, queues, jobs, fetching, freshness, publishing, deadLetters, dependencies } = stats;
  const head = `Health: ${coloured(status, colourOf(status), colours)}, as of ${localTime(checkedAt)}\n`;
  const told = alerts.map(({ severity, message, since }) => {
    return `${coloured(severity, colourOf(severity), colours)}: ${printable(message)} (since ${localTime(since)})\n`;
  });
  const rows = facts([
    ['workers', `${workers.available} of ${workers.expected} there`],
    ['queues', `${queues.waiting + queues.waitingRows} waiting, ${queues.active} active, ${queues.delayed} for later`],
    [
      'jobs',
      `${jobs.donePerMinute} done and ${jobs.failedPerMinute} failed a minute, ${percent(jobs.errorRate)} of runs fail`,
    ],
    ['sources', `${fetching.sources}: ${fetching.active} active, ${fetching.failing} failing, ${fetching.stale} stale`],
    ['delay of posts', delays(fetching)],
    ['freshness', freshnessInWords(freshness)],
    ['work', workInWords(stats.features)],
    ['publishing', publishingInWords(publishing)],
    ['dead letters', `${deadLetters.open} open`],
    ...dependencies.map(({ name, status: state, detail }) => [name, detail ? `${state} (${detail})` : state] as const),
  ]);
  return `${head}${told.join('')}\n${rows}`;
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
