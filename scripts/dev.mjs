// npm run dev: recompiles saved files and restarts Millrace, until Ctrl+C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });

const node = (...args) => spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
const project = join(root, 'tsconfig.build.json');
const compiler = node(join(root, 'node_modules/typescript/bin/tsc'), '--watch', '--preserveWatchOutput', '-p', project);
const millrace = node('--watch', '--watch-preserve-output', join(root, 'dist/src/main.js'));

// Both have their own process groups, so that Ctrl+C reaches Millrace once, through this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => millrace.kill('SIGTERM'));
// The compiler is a script and the program that it started, so the whole group is ended.
millrace.once('exit', () => process.kill(-compiler.pid, 'SIGTERM'));
