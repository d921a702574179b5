import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { DueRowCounts, type DueRows } from '../../platform/jobs/due-rows.js';
import { jobIsNot } from '../../platform/jobs/job-columns.js';
import { accounts } from '../accounts/accounts.table.js';
import { PlatformSlotsStore } from '../limits/platform-slots.store.js';
import type { Platform } from '../platform.js';
import { platforms } from '../platforms.js';
import { publications } from '../publications/publications.table.js';
import { DuePublicationsStore } from './due-publications.store.js';
import { remainingCapacity } from './publish-dispatcher.js';
import { publishJobs } from './publish-jobs.js';

const MAX_COUNTED = 50_000;

/** Posts that wait for capacity, for their account or for their next attempt wait on purpose and do not count. */
@Injectable()
export class PublishingBacklog implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly due: DuePublicationsStore,
    private readonly slots: PlatformSlotsStore,
    private readonly dueRows: DueRowCounts,
  ) {}

  onModuleInit() {
    this.dueRows.register((now) => this.read(now));
  }

  private async read(now: Date): Promise<ReadonlyMap<string, DueRows>> {
    const { busy } = await this.due.next(now, 0);
    const found = new Map<string, DueRows>();
    for (const platform of platforms) {
      const job = publishJobs.get(platform.name);
      if (job && busy.has(platform.name)) found.set(job.name, await this.ofPlatform(platform, now));
    }
    return found;
  }

  private async ofPlatform(platform: Platform, now: Date): Promise<DueRows> {
    const calls = await this.slots.calls(platform.name);
    const queued = await this.due.queuedByUser(platform.name);
    const capacities = remainingCapacity(calls, queued);
    const at = now.toISOString();
    const { rows } = await this.database.db.execute<{ count: number; since: string | Date | null }>(sql`
      SELECT coalesce(sum(least(waiting, capacity)), 0)::int AS count, min(since) FILTER (WHERE capacity > 0) AS since
      FROM (
        SELECT user_id, count(*) AS waiting, min(since) AS since FROM (
          SELECT due.user_id, greatest(due.scheduled_at, due.not_before, account.closed_until) AS since
          FROM ${publications} AS due JOIN ${accounts} AS account ON account.id = due.account_id
          WHERE due.platform = ${platform.name} AND due.status = 'scheduled' AND ${jobIsNot('waiting', 'due')}
            AND due.scheduled_at <= ${at}::timestamptz AND coalesce(due.not_before <= ${at}::timestamptz, true)
            AND coalesce(account.closed_until <= ${at}::timestamptz, true)
          LIMIT ${MAX_COUNTED}
        ) AS waits GROUP BY user_id
      ) AS by_user
      CROSS JOIN LATERAL (SELECT coalesce((
        SELECT known.capacity FROM unnest(${sql.param([...capacities.users.keys()])}::bigint[], ${sql.param([...capacities.users.values()])}::int[])
          AS known (user_id, capacity) WHERE known.user_id = by_user.user_id), ${capacities.others}::int) AS capacity) AS capacities`);
    const [{ count = 0, since = null } = {}] = rows;
    const inQueue = [...queued.values()].reduce((sum, one) => sum + one, 0);
    const possible = Math.max(0, Math.min(count, calls.platformCapacity.now - inQueue));
    if (!possible || since === null) return { count: possible, since: null };
    // A slot may have only just become free, so the time counts from the end of the last call.
    const isLimited = calls.limits.platform ?? calls.limits.user;
    const lastCallAt = isLimited ? now.getTime() - Math.min(...calls.endedMsAgo, Infinity) : -Infinity;
    return { count: possible, since: new Date(Math.max(new Date(since).getTime(), lastCallAt)) };
  }
}
