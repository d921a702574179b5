/** npm repeats a Ctrl+C that the terminal has sent, so a second signal within this time (ms) is the same one. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      firstAt ??= Date.now();
      if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
