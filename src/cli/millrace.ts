import { text } from 'node:stream/consumers';
import { nameSourcesInStackTraces } from '../platform/errors/stack-traces.js';
import type { Terminal } from './command.js';
import { main } from './main.js';

nameSourcesInStackTraces();

const { stdout, stderr, stdin } = process;
/** The exit code that shells report for SIGPIPE. */
const BROKEN_PIPE = 141;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(BROKEN_PIPE);
});

const interrupted = new AbortController();
let handlesInterrupt = false;

const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  // `hasColors` respects NO_COLOR and FORCE_COLOR.
  colours: stdout.isTTY && stdout.hasColors(),
  width: stdout.isTTY ? stdout.columns : undefined,
  watched: stderr.isTTY,
  input: () => text(stdin),
  interruption() {
    if (!handlesInterrupt) process.once('SIGINT', () => interrupted.abort());
    handlesInterrupt = true;
    return interrupted.signal;
  },
};

// `process.exit` could lose output that is not written yet.
process.exitCode = await main(process.argv.slice(2), terminal);
