import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Periodic } from '../../platform/time/periodic.js';
import { HubJobs } from './hub-jobs.js';
import { SubscriptionCare } from './subscription-care.js';

const INTERVAL_MS = 1_000;
const CARE_INTERVAL_MS = 30_000;

@Injectable()
export class HubScheduler implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly periodic: Periodic,
    private readonly jobs: HubJobs,
    private readonly care: SubscriptionCare,
  ) {}

  onApplicationBootstrap() {
    if (!this.config.publicUrl) {
      this.periodic.every(CARE_INTERVAL_MS, 'hubs that cannot reach us', () => this.care.relyOnNone());
      return;
    }
    this.periodic.every(INTERVAL_MS, 'hub scheduler', () => this.run());
    this.periodic.every(CARE_INTERVAL_MS, 'unwanted hubs', () => this.care.run());
  }

  async run(): Promise<void> {
    await this.jobs.enqueueRequests();
    await this.care.expire();
    await this.jobs.enqueueAnnounced();
  }
}
