// What `npm run test:matrix` runs against what, and how it reports the results.

/** Everything that Millrace does with a broker, and clients of the plain style that teams have written. */
const BROKER = [
  'src/platform/broker',
  'src/fetching/remote',
  'src/scraping/jobs',
  'test/compat/rabbitmq-clients.test.ts',
  'test/stories/remote-workers.test.ts',
];

/** The conformance suite of queues, outages and crashes included, and what else is stored in Redis. */
const REDIS = [
  'test/queue/queue-on-redis.test.ts',
  'test/queue/redis-outage.test.ts',
  'test/queue/crashes-on-redis.test.ts',
  'src/platform/cache',
  'src/auth/limits',
];

/** The program as it is started, threads, requests, both queue backends, and a story of each. */
const NODE = [
  'src/platform/threads',
  'src/platform/http',
  'src/platform/database',
  'test/queue/queue-on-postgres.test.ts',
  'test/queue/queue-on-redis.test.ts',
  'src/platform/broker',
  'test/program/starts-embedded.test.ts',
  'test/program/clean-stop.test.ts',
  'test/stories/imports.test.ts',
  'test/stories/publishing-limits.test.ts',
];

const rabbitmq = (suite) => ({
  from: 'debian',
  suite,
  name: 'rabbitmq-server',
  programs: {
    'rabbitmq-server': 'usr/lib/rabbitmq/bin/rabbitmq-server',
    erl: 'usr/lib/erlang/bin/erl',
    epmd: 'usr/bin/epmd',
  },
});

export const combinations = [
  { name: 'rabbitmq-trixie', get: rabbitmq('trixie'), tests: BROKER },
  { name: 'rabbitmq-sid', get: rabbitmq('sid'), tests: BROKER },
  {
    name: 'redis-trixie',
    get: {
      from: 'debian',
      suite: 'trixie',
      name: 'redis-server',
      programs: { 'redis-server': 'usr/bin/redis-server' },
    },
    tests: REDIS,
  },
  {
    name: 'valkey-trixie',
    get: {
      from: 'debian',
      suite: 'trixie',
      name: 'valkey-server',
      programs: { 'redis-server': 'usr/bin/valkey-server' },
    },
    tests: REDIS,
  },
  { name: 'node-22', get: { from: 'npm', major: 22 }, tests: NODE },
  { name: 'node-24', get: { from: 'npm', major: 24 }, tests: NODE },
];

/** Reads the last line of `npm test`. A run that ended without it has failed. */
export function readCounts(output) {
  const line = /^(\d+) passed, (\d+) failed, (\d+) skipped\s*$/m.exec(output.trimEnd().split('\n').at(-1) ?? '');
  const [passed, failed, skipped] = line ? line.slice(1).map(Number) : [0, 1, 0];
  return { passed, failed, skipped };
}

export function totals(results) {
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

export function table(results) {
  const rows = results.map(({ name, version, passed, failed, skipped }) => [name, version, passed, failed, skipped]);
  const lines = [['combination', 'version', 'passed', 'failed', 'skipped'], ...rows].map((row) => row.map(String));
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
