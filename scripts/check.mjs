// npm run check: style and types, all problems of both.
import { installIfNeeded, runInstalled } from './prepare.mjs';

await installIfNeeded();
const results = [
  runInstalled('biome', ['check', '--max-diagnostics=none']),
  runInstalled('tsc', ['--noEmit', '-p', 'tsconfig.json', '--incremental', 'false', '--tsBuildInfoFile', 'null']),
];
process.exitCode = results.every((status) => status === 0) ? 0 : 1;
