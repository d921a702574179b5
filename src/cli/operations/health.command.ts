import { apiAction } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { type Command, EXIT, type Terminal } from '../command.js';
import { type Column, facts, table } from '../show/table.js';
import { coloured, colourOf, printable } from '../show/text.js';
import { fromNow, howLong, localTime } from '../show/times.js';

type Health = Answer<'get', '/health'>;
type Stats = Health['stats'];
type Worker = Answer<'get', '/workers'>['items'][number];

const EXIT_CODES = { healthy: EXIT.done, warning: EXIT.warning, critical: EXIT.critical } as const;

const CLEAR_SCREEN = '\u001b[H\u001b[2J';

const report = apiAction({
  summary: 'Shows system health: alerts, queues, delays, dependencies',
  options: { watch: { help: 'Keep updating until Ctrl+C' } },
  notes:
    'Exit code: 0 healthy, 5 warning, 6 critical, 3 not reachable. With --watch and --json, each report is one line.',
  async run({ api, values, terminal, answer }) {
    if (!values.watch) {
      const health = await api.get('/health');
      answer(health, () => describe(health, terminal));
      return EXIT_CODES[health.status];
    }
    return watchUntil<'/health/stream', never>(api, '/health/stream', {}, ({ event, data: health }) => {
      if (event !== 'health') return undefined;
      const clear = terminal.width ? CLEAR_SCREEN : '';
      terminal.out(values.json ? `${JSON.stringify(health)}\n` : `${clear}${describe(health, terminal)}\n`);
      return undefined;
    });
  },
});

const COLUMNS: Column<Worker>[] = [
  { title: 'HOST', show: ({ host }) => host, truncates: true },
  { title: 'PID', show: ({ pid }) => pid, align: 'right' },
  { title: 'ROLES', show: ({ roles }) => roles.join(', ') },
  { title: 'VERSION', show: ({ version }) => version },
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'LAST SEEN', show: ({ lastSeenAt }) => fromNow(lastSeenAt) },
  { title: 'JOBS', show: ({ running }) => running.reduce((sum, pool) => sum + pool.running, 0), align: 'right' },
  {
    title: 'MAX JOBS',
    show: ({ running }) => running.reduce((sum, pool) => sum + pool.concurrency, 0),
    align: 'right',
  },
];

const workers = apiAction({
  word: 'workers',
  summary: 'Lists the processes that run jobs',
  options: {},
  async run({ api, terminal, answer }) {
    const workers = await api.get('/workers');
    return answer(workers, () => table(COLUMNS, workers.items, terminal));
  },
});

export const health: Command = {
  name: 'health',
  summary: 'Shows system health, also as exit code',
  actions: [report, workers],
};

function describeFreshness(freshness: Stats['freshness']): string {
  const { fetches, emptyFetches, savedFetches, fetchesPerHour, budgetPerHour } = freshness;
  if (!fetches) return 'no fetches in the last 24 hours';
  const used = budgetPerHour ? `, ${percent(fetchesPerHour / budgetPerHour)} of the budget used` : '';
  const count = fetches === 1 ? '1 fetch' : `${fetches.toLocaleString('en')} fetches`;
  const saved = savedFetches.toLocaleString('en');
  return `last 24 hours: ${delays(freshness)}; ${count}, ${percent(emptyFetches / fetches)} empty, ${saved} saved by sharing${used}`;
}

function delays({
  medianDelaySeconds,
  p95DelaySeconds,
}: Pick<Stats['fetching'], 'medianDelaySeconds' | 'p95DelaySeconds'>): string {
  if (medianDelaySeconds === null || p95DelaySeconds === null) return 'unknown';
  return `median ${howLong(medianDelaySeconds)}, 95th percentile ${howLong(p95DelaySeconds)}`;
}

function describeErrors(features: Stats['features']): string {
  const shown = features.filter(({ ended }) => ended);
  if (!shown.length) return 'no recent jobs';
  return shown.map(({ feature, errorRate }) => `${feature} ${percent(errorRate)}`).join(', ');
}

/** Targets: fewer than 100 due, none for longer than 5 minutes, above 99 % published, pools 70 to 90 % busy. */
function describePublishing(publishing: Stats['publishing']): string {
  const { due, oldestDueSeconds, publishedLastHour, failedLastHour, successRate, pools } = publishing;
  const since = oldestDueSeconds === null ? '' : `, the oldest for ${howLong(oldestDueSeconds)}`;
  const rate = successRate === null ? '' : ` (${percent(successRate)} success)`;
  const busy = `${pools.busy} of ${pools.size} workers busy`;
  return `${due} due${since}; last hour: ${publishedLastHour} published, ${failedLastHour} failed${rate}; ${busy}`;
}

function describeMessages({ queues, error }: NonNullable<Stats['rabbitmq']>): string {
  const sum = (numbers: (number | null)[]) => numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  const ready = `${sum(queues.map(({ ready }) => ready))} ready`;
  const known = queues.some(({ unacknowledged }) => unacknowledged !== null);
  const unacknowledged = known ? `, ${sum(queues.map((queue) => queue.unacknowledged))} unacknowledged` : '';
  return `${ready}${unacknowledged} in RabbitMQ${error ? `. ${error}` : ''}`;
}

function describe({ status, checkedAt, stats, alerts }: Health, { colours }: Terminal): string {
  const { workers, queues, jobs, fetching, freshness, publishing, deadLetters, rabbitmq, dependencies } = stats;
  const head = `Health: ${coloured(status, colourOf(status), colours)}, as of ${localTime(checkedAt)}\n`;
  const alertLines = alerts.map(({ severity, message, since }) => {
    return `${coloured(severity, colourOf(severity), colours)}: ${printable(message)} (since ${localTime(since)})\n`;
  });
  const rows = facts([
    ['workers', `${workers.available} of ${workers.expected} available`],
    ['queues', `${queues.waiting + queues.waitingRows} waiting, ${queues.active} active, ${queues.delayed} delayed`],
    [
      'jobs',
      `${jobs.donePerMinute} done and ${jobs.failedPerMinute} failed per minute, ${percent(jobs.errorRate)} of runs fail`,
    ],
    ['sources', `${fetching.sources}: ${fetching.active} active, ${fetching.failing} failing, ${fetching.stale} stale`],
    ['post delay', delays(fetching)],
    ['freshness', describeFreshness(freshness)],
    ['error rates', describeErrors(stats.features)],
    ['publishing', describePublishing(publishing)],
    ['dead letters', `${deadLetters.open} open`],
    ['messages', rabbitmq && describeMessages(rabbitmq)],
    ...dependencies.map(({ name, status: state, detail }) => [name, detail ? `${state} (${detail})` : state] as const),
  ]);
  return `${head}${alertLines.join('')}\n${rows}`;
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
