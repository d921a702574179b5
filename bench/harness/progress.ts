const REPEAT_MS = 15_000;

const startedAt = performance.now();
let repeat: NodeJS.Timeout | undefined;

/**
 * Prints the current phase of a benchmark as one line on stderr, with the seconds since the start. The line is repeated
 * every 15 seconds until the next one. Work that blocks the event loop for longer has to report each of its steps.
 */
export function progress(phase: string): void {
  clearInterval(repeat);
  write(phase);
  repeat = setInterval(() => write(`still running: ${phase}`), REPEAT_MS);
  repeat.unref();
}

function write(line: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
}
