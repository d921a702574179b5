const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info ', 40: 'warn ', 50: 'error', 60: 'fatal' };

/** Turns pino's JSON lines into `12:00:01 info  message key=value`. */
export function prettyStream(out: { write(text: string): unknown }) {
  return { write: (line: string) => out.write(`${readable(line)}\n`) };
}

function readable(line: string): string {
  const { time, level, msg, pid: _pid, err, ...rest } = JSON.parse(line);
  const details = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = err?.stack ? `\n${err.stack}` : '';
  return [String(time).slice(11, 19), LEVELS[level] ?? level, msg ?? '', ...details].join(' ') + stack;
}
