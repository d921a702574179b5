import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Metrics, type Reading } from '../../platform/metrics/metrics.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { platforms } from '../platforms.js';
import { PlatformSlotsStore } from './platform-slots.store.js';

const TIMEOUT_MS = 2_000;

/** Only processes with the api role export these metrics. */
@Injectable()
export class CapacityMetrics {
  private readonly limited: { platform: string; most: number }[];
  private reading: Promise<Reading<'platform'>[]> | undefined;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly slots: PlatformSlotsStore,
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
      name: 'platform_room',
      help: 'Posts that may go out now within the limit of a platform.',
      labels: ['platform'],
      read: () => withTimeout(this.capacity(), TIMEOUT_MS),
    });
  }

  /** One query runs at a time, also while the database does not answer. */
  private capacity(): Promise<Reading<'platform'>[]> {
    this.reading ??= this.readCapacity().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
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
