// npm run dev: recompiles saved files and restarts Millrace, until Ctrl+C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';
import { endWithChildren, installedProgram } from './programs.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });

// On POSIX both have their own process groups, so that Ctrl+C reaches Millrace once, through this process. A process of
// its own group would have no console on Windows, and Windows has no other way to ask a process to end.
const onWindows = process.platform === 'win32';
const node = (...args) =>
  spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: !onWindows });
const project = join(root, 'tsconfig.build.json');
const tsc = installedProgram(join(root, 'node_modules'), 'tsc');
const compiler = node(tsc, '--watch', '--preserveWatchOutput', '-p', project);
const millrace = node('--watch', '--watch-preserve-output', join(root, 'dist/src/main.js'));

if (onWindows) process.on('SIGINT', () => {});
else for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => millrace.kill('SIGTERM'));
// The compiler is a script and the program that it started.
millrace.once('exit', () => endWithChildren(compiler));
