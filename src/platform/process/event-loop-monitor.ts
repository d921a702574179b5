import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { Periodic } from '../time/periodic.js';

/** Interval between two measurements in milliseconds. Shorter stalls are not detected. */
const RESOLUTION_MS = 20;
const SLOT_MS = 5_000;
const SLOTS = 12;

@Injectable()
export class EventLoopMonitor implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly slots: number[] = [];

  constructor(
    private readonly periodic: Periodic,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'event_loop_max_stall_seconds',
      help: 'The longest time in the last minute for which the event loop of this process stood still.',
      read: () => [{ value: this.maxStallMs() / 1_000 }],
    });
  }

  /** Monitoring starts after the bootstrap, because a starting process loads its code in one go. */
  onApplicationBootstrap() {
    this.delays.enable();
    this.periodic.everyHere(SLOT_MS, 'event loop monitor', async () => this.endSlot());
  }

  onApplicationShutdown() {
    this.delays.disable();
  }

  maxStallMs(): number {
    return Math.max(this.currentMs(), ...this.slots);
  }

  private endSlot(): void {
    this.slots.push(this.currentMs());
    if (this.slots.length > SLOTS) this.slots.shift();
    this.delays.reset();
  }

  private currentMs(): number {
    return Math.max(0, this.delays.max / 1e6 - RESOLUTION_MS);
  }
}
