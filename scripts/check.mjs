// npm run check: reports all style and type errors of the program and of the page.
import { installIfNeeded, runInstalled } from './prepare.mjs';

await installIfNeeded();
const results = [
  runInstalled('biome', ['check', '--max-diagnostics=none']),
  runInstalled('tsc', ['--noEmit', '-p', 'tsconfig.json', '--incremental', 'false', '--tsBuildInfoFile', 'null']),
  runInstalled('tsc', ['-p', 'web/tsconfig.json']),
];
process.exitCode = results.every((status) => status === 0) ? 0 : 1;
