import 'reflect-metadata';
import { installServices } from '../test/harness/servers/install-services.js';
import { type Service, whyNoPython, whyNoSfeed } from '../test/harness/servers/server-choice.js';
import { progress } from './harness/progress.js';
import { type Measurement, print, save } from './report.js';

interface Benchmark {
  measures: string;
  /** The services that it uses beside PostgreSQL, which is embedded. */
  services?: readonly Service[];
  /** The services that it can do without, each with the sentence that reports a missing one. */
  optional?: Partial<Record<Service, string>>;
  /** `run` gets the arguments after the names. It prints its results itself if it returns none. */
  load(): Promise<{ run(options: string[]): Promise<Measurement[] | undefined> }>;
}

const BENCHMARKS: Record<string, Benchmark> = {
  queue: {
    measures: 'jobs per second, compared with BullMQ alone',
    services: ['redis'],
    load: () => import('./queue.js'),
  },
  start: { measures: 'time from the start to the first answer', load: () => import('./start.js') },
  memory: {
    measures: 'memory of an idle process, and growth over many jobs',
    services: ['redis'],
    load: () => import('./memory.js'),
  },
  feed: { measures: 'response times of the feed API', load: () => import('./feed/feed.js') },
  scheduler: { measures: 'claiming due sources among a million', load: () => import('./scheduler/scheduler.js') },
  rpc: {
    measures: 'calls to workers over RabbitMQ',
    services: ['rabbitmq'],
    optional: { python: `Measuring without the Python kit: ${whyNoPython()}.` },
    load: () => import('./rpc/rpc.js'),
  },
  import: { measures: 'imported items per second', services: ['redis'], load: () => import('./import/import.js') },
  publish: { measures: 'published posts per second', services: ['redis'], load: () => import('./publish/publish.js') },
  fetch: {
    measures: 'fetches per second, compared with other readers',
    services: ['redis'],
    optional: { sfeed: `Measuring without sfeed: ${whyNoSfeed()}.` },
    load: () => import('./fetch/fetch.js'),
  },
  peer: {
    measures: 'cost of the same feeds in Miniflux and in Millrace',
    services: ['redis'],
    load: () => import('./peer/peer.js'),
  },
  freshness: { measures: 'delay of posts in simulated weeks', load: () => import('./freshness/freshness.js') },
  scale: {
    measures: 'costs from which docs/scale.md is written',
    services: ['redis'],
    load: () => import('./scale/scale.js'),
  },
};

const WIDTH = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length));
const LIST = Object.entries(BENCHMARKS).map(([name, { measures }]) => `  ${name.padEnd(WIDTH)}  ${measures}\n`);
const USAGE = `Usage: npm run bench -- <name…> [options]\n\n${LIST.join('')}`;

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);

if (options.includes('--help') || options.includes('-h')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) giveUp(`Unknown benchmark \`${unknown}\`.\n\n${USAGE}`, 2);
if (names.length === 0) giveUp(USAGE, 2);

const chosen = names.flatMap((name) => BENCHMARKS[name] ?? []);
const missing = installServices({
  who: names.length > 1 ? 'These benchmarks need' : 'This benchmark needs',
  required: [...new Set(chosen.flatMap(({ services = [] }) => services))],
  optional: Object.assign({}, ...chosen.map(({ optional }) => optional)),
});
if (missing) giveUp(`${missing}\n`, 1);

for (const [at, benchmark] of chosen.entries()) {
  const name = names[at] ?? '';
  progress(name);
  const { run } = await benchmark.load();
  const report = await run(options);
  if (!report) continue;
  print(name, report);
  await save(name, report);
}
process.exit(0);

function giveUp(message: string, exitCode: number): never {
  process.stderr.write(message);
  process.exit(exitCode);
}
