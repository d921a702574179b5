import { Controller, Get, Inject } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentUser } from '../auth/users/current-user.js';
import type { User } from '../auth/users/user.js';
import { pageOf } from '../platform/api/list-query.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { WorkerPools } from '../platform/queue/worker-pools.js';
import { Clock } from '../platform/time/clock.js';
import { limitsOf } from './limits/limits.js';
import { PlatformSlotsStore } from './limits/platform-slots.store.js';
import type { Platform } from './platform.js';
import { PlatformView, toPlatformView } from './platform-view.js';
import { platforms } from './platforms.js';
import { DuePublicationsStore } from './sending/due-publications.store.js';
import { publishJobs } from './sending/publish-jobs.js';

@ApiTags('Platforms')
@Controller('platforms')
export class PlatformsController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly slots: PlatformSlotsStore,
    private readonly due: DuePublicationsStore,
    private readonly pools: WorkerPools,
    private readonly clock: Clock,
  ) {}

  /** What each takes, how much room there is within its limits, and what waits. */
  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(PlatformView) })
  async list(@CurrentUser() user: User) {
    const waiting = await this.due.countByPlatform(user.id, this.clock.now());
    const items = await Promise.all(platforms.map((platform) => this.shown(platform, user.id, waiting)));
    return { items, nextCursor: null };
  }

  private async shown(platform: Platform, userId: string, waiting: Map<string, { all: number; yours: number }>) {
    const limits = limitsOf(platform, this.config);
    return toPlatformView(platform, {
      ...{ limits, userId, calls: await this.slots.calls(platform.name, limits), now: this.clock.now() },
      poolSize: this.pools.pool(publishJobs.get(platform.name)?.name ?? '')?.concurrency ?? null,
      due: waiting.get(platform.name) ?? { all: 0, yours: 0 },
    });
  }
}
