import 'reflect-metadata';
import { print, save } from './report.js';

/** Each benchmark of `npm run bench <name>` is a file of that name that exports `run()`. */
const BENCHES = [
  'queue',
  'start',
  'memory',
  'feed',
  'scheduler',
  'rpc',
  'import',
  'publish',
  'fetch',
  'freshness',
  'scale',
];

const given = process.argv.slice(2);
/** Arguments after the names are passed to the benchmarks. */
const options = given.findIndex((word) => word.startsWith('-'));
const names = options < 0 ? given : given.slice(0, options);
const unknown = names.filter((name) => !BENCHES.includes(name));
if (!names.length || unknown.length) {
  process.stderr.write(`Usage: npm run bench <${BENCHES.join('|')}>\n`);
  process.exit(2);
}
for (const name of names) {
  const { run } = await import(`./${name}.js`);
  const report = await run(options < 0 ? [] : given.slice(options));
  if (!report) continue;
  print(name, report);
  await save(name, report);
}
process.exit(0);
