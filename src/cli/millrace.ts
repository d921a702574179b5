import { text } from 'node:stream/consumers';
import type { Terminal } from './command.js';
import { main } from './main.js';

const { stdout, stderr, stdin } = process;
/** As shells show one that was ended by SIGPIPE. */
const NOBODY_READS = 141;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(NOBODY_READS);
});

const interrupted = new AbortController();
let isHeard = false;

const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  // Heeds NO_COLOR, FORCE_COLOR and what the terminal can do.
  colours: stdout.isTTY && stdout.hasColors(),
  width: stdout.isTTY ? stdout.columns : undefined,
  watched: stderr.isTTY,
  input: () => text(stdin),
  interruption() {
    if (!isHeard) process.once('SIGINT', () => interrupted.abort());
    isHeard = true;
    return interrupted.signal;
  },
};

// Without process.exit, so that all that was printed gets out.
process.exitCode = await main(process.argv.slice(2), terminal);
