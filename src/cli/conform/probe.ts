import type { Target } from './target.js';

/**
 * One thing that a worker must do. It passes by returning what was seen, in a few words; otherwise it throws a Breach or a
 * NotProbed.
 */
export interface Probe {
  /** As `--only` takes it. */
  name: string;
  checks: string;
  /** Tells nothing about a worker that did not answer the good command with success. */
  needsGoodCommand?: boolean;
  run(target: Target): Promise<string>;
}
