/** npm repeats a Ctrl+C that the terminal has sent, so a second signal within this time (ms) is the same one. */
const SAME_SIGNAL_MS = 1_000;

/** Windows has no SIGTERM. It reports Ctrl+Break as SIGBREAK, and a closed console window as SIGHUP. */
export function stopSignals(platform: NodeJS.Platform): NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
}

/** Resolves at the first signal to stop. A second one ends the process at once. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      firstAt ??= Date.now();
      if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      resolve(signal);
    };
    for (const signal of stopSignals(process.platform)) process.on(signal, onSignal);
  });
}
