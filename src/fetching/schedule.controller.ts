import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { CurrentUser } from '../auth/current-user.js';
import type { User } from '../auth/user.js';
import { Clock } from '../platform/clock.js';
import { Id } from '../platform/database/columns.js';
import { Database } from '../platform/database/database.js';
import { ApiError } from '../platform/errors/api-error.js';
import { posts } from '../posts/posts.table.js';
import { SourceViewsStore } from '../sources/source-views.store.js';
import { Schedules } from './schedules.js';

const ScheduleView = z.strictObject({
  policy: z.string(),
  activeFollowers: z.int(),
  priority: z.int().nullable(),
  postsPerDay: z.number(),
  intervalSeconds: z.int().nullable(),
  nextFetchAt: z.iso.datetime().nullable(),
  because: z.array(z.string()),
  terms: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
});

/** Over how many days posts are counted. */
const DAYS = 30;

@ApiTags('Sources')
@Controller('sources')
export class ScheduleController {
  constructor(
    private readonly sources: SourceViewsStore,
    private readonly schedules: Schedules,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get(':id/schedule')
  @ApiOkResponse({ standardSchema: ScheduleView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    const seen = await this.sources.find(user.id, id, { evenUnfollowed: user.scope === 'admin' });
    if (!seen) throw new ApiError('not_found', `You follow no source ${id}.`);
    return { ...this.schedules.explain(seen.source, seen.state), postsPerDay: await this.postsPerDay(id) };
  }

  private async postsPerDay(sourceId: string): Promise<number> {
    const since = new Date(this.clock.now().getTime() - DAYS * 86_400_000);
    const recent = and(eq(posts.sourceId, sourceId), gt(posts.publishedAt, since), isNull(posts.removedAt));
    const [counted] = await this.database.db.select({ count: sql<number>`count(*)::int` }).from(posts).where(recent);
    return Math.round(((counted?.count ?? 0) / DAYS) * 100) / 100;
  }
}
