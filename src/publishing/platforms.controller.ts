import { Controller, Get } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { pageOf } from '../platform/api/list-query.js';
import type { RateLimit } from '../platform/config.js';
import { WorkerPools } from '../platform/jobs/process-pools.js';
import { Clock } from '../platform/time/clock.js';
import type { Capacity } from './limits/capacity.js';
import { type PlatformCalls, PlatformSlotsStore } from './limits/platform-slots.store.js';
import type { Platform } from './platform.js';
import { platforms } from './platforms.js';
import { DuePublicationsStore, type PublicationCounts } from './sending/due-publications.store.js';
import { publishJobs } from './sending/publish-jobs.js';

const LimitView = z.strictObject({ most: z.int(), windowSeconds: z.number() }).nullable();

/** Null means no limit. */
const places = z.int().nullable();

export const PlatformView = z.strictObject({
  name: z.string(),
  label: z.string(),
  accepts: z.strictObject({
    text: z.strictObject({ most: places, unit: z.enum(['characters', 'bytes']) }),
    title: z.strictObject({ most: z.int(), required: z.boolean() }).nullable(),
    media: z.strictObject({
      least: z.int(),
      most: places,
      kinds: z.array(z.enum(['image', 'video', 'audio'])).nullable(),
    }),
  }),
  /** Posts in any window of that length, for all users together and for each user. Null means no limit. */
  limits: z.strictObject({ platform: LimitView, user: LimitView }),
  /** Both limits apply to the caller. */
  remaining: z.strictObject({ platform: places, user: places }),
  /** When the caller's next post may be sent. Null if one may now, or if that depends on calls in flight. */
  availableAt: z.iso.datetime().nullable(),
  /** Null if the answering process publishes none. */
  poolSize: z.int().nullable(),
  due: z.strictObject({ all: z.int(), yours: z.int() }),
  /** Posts of all users: due posts by priority, due posts that failed before, and open dead letters. */
  counts: z.strictObject({ high: z.int(), normal: z.int(), low: z.int(), retrying: z.int(), dead: z.int() }),
});

@ApiTags('Platforms')
@Controller('platforms')
export class PlatformsController {
  constructor(
    private readonly slots: PlatformSlotsStore,
    private readonly due: DuePublicationsStore,
    private readonly pools: WorkerPools,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(PlatformView) })
  async list(@CurrentUser() user: User) {
    const now = this.clock.now();
    const [due, counts] = await Promise.all([this.due.countByPlatform(user.id, now), this.due.countsByPlatform(now)]);
    const items = await Promise.all(platforms.map((platform) => this.shown(platform, user.id, { due, counts })));
    return { items, nextCursor: null };
  }

  private async shown(platform: Platform, userId: string, { due, counts }: Counted) {
    return toPlatformView(platform, {
      userId,
      calls: await this.slots.calls(platform.name),
      now: this.clock.now(),
      poolSize: this.pools.pool(publishJobs.get(platform.name)?.name ?? '')?.concurrency ?? null,
      due: due.get(platform.name) ?? { all: 0, yours: 0 },
      counts: counts.get(platform.name) ?? NOTHING,
    });
  }
}

export type PlatformView = z.infer<typeof PlatformView>;

interface Counted {
  due: Map<string, PlatformView['due']>;
  counts: Map<string, PublicationCounts>;
}

const NOTHING: PublicationCounts = { high: 0, normal: 0, low: 0, retrying: 0, dead: 0 };

interface PlatformState {
  calls: PlatformCalls;
  userId: string;
  poolSize: number | null;
  due: PlatformView['due'];
  counts: PublicationCounts;
  now: Date;
}

function toPlatformView({ name, label, accepts }: Platform, state: PlatformState): PlatformView {
  const { calls, userId, poolSize, due, counts, now } = state;
  const { limits } = calls;
  const { text, title, media } = accepts;
  const capacity = calls.capacityFor(userId);
  return {
    name,
    label,
    accepts: { text, title: title ? { most: title.most, required: title.isNeeded } : null, media },
    limits: { platform: toLimitView(limits.platform), user: toLimitView(limits.user) },
    remaining: { platform: placesIn(calls.platformCapacity), user: placesIn(capacity) },
    availableAt: capacity.nextInMs === undefined ? null : new Date(now.getTime() + capacity.nextInMs).toISOString(),
    poolSize,
    due,
    counts,
  };
}

const toLimitView = (limit: RateLimit | undefined) =>
  limit ? { most: limit.most, windowSeconds: limit.windowMs / 1_000 } : null;

const placesIn = ({ now }: Capacity) => (Number.isFinite(now) ? now : null);
