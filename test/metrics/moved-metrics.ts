import { vi } from 'vitest';
import type { Api } from '../harness/api.js';
import { MetricsText } from './metrics-text.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 100 };
/** Longer than figures of the fleet are cached. */
const FRESH_MS = 2_000;

/** A metric with the number by which it must change, if that is certain. */
export type Metric = [name: string, labels?: Record<string, string>, by?: number];

/** Reads `/metrics` before and after something happens, and records what has changed. */
export class MovedMetrics {
  readonly moved = new Set<string>();
  private aheadMs = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly api: Api) {
    this.timer = setInterval(() => this.later(0), 10);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The clock runs at the speed of real time, ahead of it. */
  later(ms: number): void {
    this.aheadMs += ms;
    this.api.clock.advance(Date.now() + this.aheadMs - this.api.clock.now().getTime());
  }

  async read(): Promise<MetricsText> {
    this.later(FRESH_MS);
    const answer = await this.api.send({ url: '/metrics', key: this.api.adminKey });
    if (answer.statusCode !== 200) throw new Error(`/metrics was answered with ${answer.statusCode}: ${answer.body}`);
    return new MetricsText(answer.body);
  }

  /** Expects each of them to change when it happens. */
  async moves(metrics: Metric[], act: () => unknown): Promise<void> {
    const before = await this.read();
    await act();
    await vi.waitFor(async () => {
      const now = await this.read();
      for (const [name, labels, by] of metrics) {
        const [was, is] = [before.value(name, labels), now.value(name, labels)];
        const hasMoved = by === undefined ? is !== was : is !== undefined && is - (was ?? 0) === by;
        if (!hasMoved) throw new Error(`${name} ${JSON.stringify(labels)} was ${was} and is ${is}`);
        this.moved.add(name);
      }
    }, WAIT_OPTIONS);
  }
}
