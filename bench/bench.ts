import 'reflect-metadata';
import { type Measurement, print, save } from './report.js';

interface Benchmark {
  measures: string;
  /** `run` gets the arguments after the names. It prints its results itself if it returns none. */
  load(): Promise<{ run(options: string[]): Promise<Measurement[] | undefined> }>;
}

const BENCHMARKS: Record<string, Benchmark> = {
  queue: { measures: 'jobs per second, compared with BullMQ alone', load: () => import('./queue.js') },
  start: { measures: 'time from the start to the first answer', load: () => import('./start.js') },
  memory: { measures: 'memory of an idle process, and growth over many jobs', load: () => import('./memory.js') },
  feed: { measures: 'response times of the feed API', load: () => import('./feed/feed.js') },
  scheduler: { measures: 'claiming due sources among a million', load: () => import('./scheduler/scheduler.js') },
  rpc: { measures: 'calls to workers over RabbitMQ', load: () => import('./rpc/rpc.js') },
  import: { measures: 'imported items per second', load: () => import('./import/import.js') },
  publish: { measures: 'published posts per second', load: () => import('./publish/publish.js') },
  fetch: { measures: 'fetches per second, compared with other readers', load: () => import('./fetch/fetch.js') },
  freshness: { measures: 'delay of posts in simulated weeks', load: () => import('./freshness/freshness.js') },
  scale: { measures: 'costs from which docs/scale.md is written', load: () => import('./scale/scale.js') },
};

const WIDTH = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length));
const LIST = Object.entries(BENCHMARKS).map(([name, { measures }]) => `  ${name.padEnd(WIDTH)}  ${measures}\n`);
const USAGE = `Usage: npm run bench -- <name…> [options]\n\n${LIST.join('')}`;

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);

if (!names.length && (options.includes('--help') || options.includes('-h'))) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const unknown = names.find((name) => !BENCHMARKS[name]);
if (!names.length || unknown !== undefined) {
  process.stderr.write(unknown === undefined ? USAGE : `Unknown benchmark \`${unknown}\`.\n\n${USAGE}`);
  process.exit(2);
}
for (const name of names) {
  const benchmark = await BENCHMARKS[name]?.load();
  const report = await benchmark?.run(options);
  if (!report) continue;
  print(name, report);
  await save(name, report);
}
process.exit(0);
