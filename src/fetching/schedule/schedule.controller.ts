import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { SourceViewsStore } from '../../sources/source-views.store.js';
import { SubscriptionsStore } from '../websub/subscriptions.store.js';
import type { Subscription } from '../websub/subscriptions.table.js';
import { Schedules } from './explain-schedule.js';

const PushView = z.strictObject({
  state: z.enum(['asked', 'verified', 'missed', 'refused', 'ending']),
  hub: z.string(),
  leaseUntil: z.iso.datetime().nullable(),
  lastPushAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
});

const ScheduleView = z.strictObject({
  policy: z.string(),
  activeFollowers: z.int(),
  priority: z.int().nullable(),
  postsPerDay: z.number(),
  intervalSeconds: z.int().nullable(),
  nextFetchAt: z.iso.datetime().nullable(),
  because: z.array(z.string()),
  terms: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
  push: PushView.nullable(),
});

@ApiTags('Sources')
@Controller('sources')
export class ScheduleController {
  constructor(
    private readonly sources: SourceViewsStore,
    private readonly schedules: Schedules,
    private readonly subscriptions: SubscriptionsStore,
  ) {}

  @Get(':id/schedule')
  @ApiOkResponse({ standardSchema: ScheduleView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    const seen = await this.sources.find(user.id, id, { evenUnfollowed: user.scope === 'admin' });
    if (!seen) throw new ApiError('not_found', `You follow no source ${id}.`);
    const { source, state } = seen;
    const subscription = await this.subscriptions.findOf(id);
    return {
      ...this.schedules.explain(source, state),
      postsPerDay: rounded(state.postsPerDay),
      push: subscription ? toPushView(subscription) : null,
    };
  }
}

const rounded = (postsPerDay: number | null) => Math.round((postsPerDay ?? 0) * 100) / 100;

function toPushView({ state, hubUrl, leaseUntil, lastPushAt, lastError }: Subscription) {
  return { state, hub: hubUrl, leaseUntil, lastPushAt, lastError };
}
