import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { platforms } from '../platforms.js';
import { DuePublicationsStore } from '../sending/due-publications.store.js';
import { publishJobs } from '../sending/publish-jobs.js';
import { nextPoolSize } from './pool-size.js';

const INTERVAL_MS = 5_000;

@Injectable()
export class PublishPools implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly pools: WorkerPools,
    private readonly due: DuePublicationsStore,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap() {
    if (!this.config.roles.has('worker')) return;
    this.timer = setInterval(() => {
      this.resize().catch((err) =>
        this.log.warn({ event: 'publish_pools_not_resized', err }, 'Could not resize the publishing pools'),
      );
    }, INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  async resize(): Promise<void> {
    const waiting = await this.due.waitingByPlatform(this.clock.now());
    for (const { name: platform, workers } of platforms) {
      const pool = this.pools.pool(publishJobs.get(platform)?.name ?? '');
      if (!pool) continue;
      const counted = waiting.get(platform) ?? 0;
      const size = nextPoolSize(pool.concurrency, counted, workers);
      if (size === pool.concurrency) continue;
      const facts = { event: 'publish_pool_resized', platform, from: pool.concurrency, to: size, waiting: counted };
      this.log.info(facts, 'Resized the publishing pool');
      pool.concurrency = size;
    }
  }
}
