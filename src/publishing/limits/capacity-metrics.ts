import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Metrics, type Reading } from '../../platform/metrics/metrics.js';
import { Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { platforms } from '../platforms.js';
import { DuePublicationsStore } from '../sending/due-publications.store.js';
import { PlatformSlotsStore } from './platform-slots.store.js';

const TIMEOUT_MS = 2_000;

/** Only processes with the api role export these metrics. */
@Injectable()
export class CapacityMetrics {
  private readonly limited: { platform: string; most: number }[];
  private reading: Promise<Reading<'platform'>[]> | undefined;
  private counting: Promise<Reading<'platform' | 'state'>[]> | undefined;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly slots: PlatformSlotsStore,
    private readonly due: DuePublicationsStore,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.limited = platforms.flatMap(({ name }) => {
      const { platform } = slots.limitsOf(name);
      return platform ? [{ platform: name, most: platform.most }] : [];
    });
    if (!config.roles.has('api')) return;
    metrics.gauge({
      name: 'platform_limit',
      help: 'Posts that a platform takes within the window of its limit.',
      labels: ['platform'],
      read: () => this.limited.map(({ platform, most }) => ({ platform, value: most })),
    });
    metrics.gauge({
      name: 'platform_capacity',
      help: 'Posts that may go out now within the limit of a platform.',
      labels: ['platform'],
      read: () => withTimeout(this.capacity(), TIMEOUT_MS),
    });
    metrics.gauge({
      name: 'platform_publications',
      help: 'Posts that are due by priority (high, normal, low), those that failed before (retrying), and dead letters.',
      labels: ['platform', 'state'],
      read: () => withTimeout(this.counts(), TIMEOUT_MS),
    });
  }

  /** One query runs at a time, also while the database does not answer. */
  private capacity(): Promise<Reading<'platform'>[]> {
    this.reading ??= this.readCapacity().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** One query runs at a time here too. */
  private counts(): Promise<Reading<'platform' | 'state'>[]> {
    this.counting ??= this.readCounts().finally(() => {
      this.counting = undefined;
    });
    return this.counting;
  }

  private async readCounts(): Promise<Reading<'platform' | 'state'>[]> {
    const counts = await this.due.countsByPlatform(this.clock.now());
    return [...counts].flatMap(([platform, states]) =>
      Object.entries(states).map(([state, value]) => ({ platform, state, value })),
    );
  }

  private async readCapacity(): Promise<Reading<'platform'>[]> {
    const readings = [];
    for (const { platform } of this.limited) {
      const { platformCapacity } = await this.slots.calls(platform);
      readings.push({ platform, value: platformCapacity.now });
    }
    return readings;
  }
}
