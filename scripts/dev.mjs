// npm run dev: recompiles what is saved and restarts Millrace with it, until Ctrl+C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded({ withTests: false });

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const children = [
  [compiler, '--watch', '--preserveWatchOutput', '-p', join(root, 'tsconfig.build.json')],
  ['--watch', '--watch-preserve-output', '--enable-source-maps', join(root, 'dist/src/main.js')],
].map((args) => spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true }));

// The children are in groups of their own: Ctrl+C reaches them once, through here, and Millrace stops as it should.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
for (const child of children) child.once('exit', stop);

function stop() {
  for (const child of children) child.kill('SIGTERM');
}
