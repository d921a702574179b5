import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { ApiError } from '../errors/api-error.js';
import { LOG, type Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { Periodic } from '../time/periodic.js';

const SAMPLE_INTERVAL_MS = 500;
/** Work resumes this many percent below the limit, so that it does not start and stop all the time. */
const HYSTERESIS_PERCENT = 10;
/** A full collection halts the process for up to a second per gigabyte. */
const MIN_COLLECT_INTERVAL_MS = 5_000;
const RETRY_AFTER_SECONDS = 10;

@Injectable()
export class Heap {
  private collect: (() => void) | undefined;

  /** In percent of what V8 allows before it ends the process, garbage included. */
  usedPercent(): number {
    const { heap_size_limit: limit } = v8.getHeapStatistics();
    const used = v8
      .getHeapSpaceStatistics()
      .filter(({ space_name: name }) => !name.startsWith('new_'))
      .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
    return (100 * used) / (limit - YOUNG_GENERATION_BYTES);
  }

  /** V8 collects only on allocation, so an idle process would not notice that its memory is free. */
  collectGarbage(): void {
    this.collect ??= exposedCollector();
    this.collect();
  }
}

/** V8 includes three semi-spaces of 16 MiB in its limit, which long-lived objects cannot use. */
const YOUNG_GENERATION_BYTES = 48 * 1_048_576;

function exposedCollector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

type Listener = (isLow: boolean) => void;

@Injectable()
export class MemoryGuard implements OnApplicationBootstrap {
  private readonly listeners: Listener[] = [];
  private readonly limitPercent: number;
  private usedPercent = 0;
  private collectedAtMs = Number.NEGATIVE_INFINITY;
  private low = false;

  constructor(
    private readonly heap: Heap,
    private readonly periodic: Periodic,
    @Inject(CONFIG) { memoryPercent }: Config,
    @Inject(LOG) private readonly log: Log,
    metrics: Metrics,
  ) {
    this.limitPercent = memoryPercent;
    metrics.gauge({
      name: 'heap_used_ratio',
      help: 'Share of its JavaScript heap that this process uses, from 0 to 1.',
      read: () => [{ value: this.heap.usedPercent() / 100 }],
    });
    metrics.gauge({
      name: 'memory_low',
      help: '1 while this process takes no work because its heap is nearly used up.',
      read: () => [{ value: Number(this.low) }],
    });
  }

  onApplicationBootstrap() {
    this.periodic.everyHere(SAMPLE_INTERVAL_MS, 'memory guard', async () => this.sample());
  }

  get isLow(): boolean {
    return this.low;
  }

  get heapPercent(): number {
    return this.usedPercent;
  }

  /** Calls the listener with every change from now on, and at once if memory is low. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
    if (this.low) listener(true);
  }

  requireMemory(): void {
    if (this.low) throw this.refusal();
  }

  refusal(): ApiError {
    const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    return new ApiError('memory_low', 'This process is short of memory and takes only light requests.', { headers });
  }

  sample(): void {
    const limit = this.low ? this.limitPercent - HYSTERESIS_PERCENT : this.limitPercent;
    this.usedPercent = this.heap.usedPercent();
    if (this.usedPercent > limit && this.mayCollect()) {
      this.heap.collectGarbage();
      this.usedPercent = this.heap.usedPercent();
    }
    const isLow = this.usedPercent > limit;
    if (isLow !== this.low) this.change(isLow);
  }

  private mayCollect(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.collectedAtMs < MIN_COLLECT_INTERVAL_MS) return false;
    this.collectedAtMs = nowMs;
    return true;
  }

  private change(isLow: boolean): void {
    this.low = isLow;
    const heapPercent = Math.round(this.usedPercent);
    if (isLow) this.log.error({ event: 'memory_low', heapPercent }, 'Memory is low: taking no jobs or heavy requests');
    else this.log.info({ event: 'memory_recovered', heapPercent }, 'Memory is free again: taking work');
    for (const listener of this.listeners) listener(isLow);
  }
}
