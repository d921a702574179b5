import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Batcher } from '../../platform/database/batcher.js';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { type Claim, isAmong, STILL_WAITS } from '../../platform/jobs/job-rows.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { platformSlots } from '../limits/platform-slots.table.js';
import type { Published } from '../platform.js';
import { telling } from '../publications/publication-changed.event.js';
import { publicationChanges, publications } from '../publications/publications.table.js';
import { PublishMetrics } from './publish-metrics.js';

interface RecordedPost extends Published {
  claim: Claim;
  /** The evidence that the post was published. */
  reason: string;
}

const { placeholder } = sql;

const recording = new PreparedQuery<{ id: string; platform: string; lateSeconds: number }>(sql`
  WITH held AS MATERIALIZED (
    SELECT id AS held_id, post_id, post_url, told FROM ${publications}
    JOIN unnest(${placeholder('ids')}::bigint[], ${placeholder('fences')}::int[], ${placeholder('postIds')}::text[],
        ${placeholder('urls')}::text[], ${placeholder('reasons')}::text[])
      AS arrived (arrived_id, arrived_fence, post_id, post_url, told) ON id = arrived_id AND job_fence = arrived_fence
    WHERE ${isAmong(placeholder('ids'))} AND ${STILL_WAITS} AND status = 'publishing' ORDER BY id FOR NO KEY UPDATE OF ${publications}
  ), moved AS (
    UPDATE ${publications} SET job_state = 'done', status = 'published', platform_post_id = post_id, platform_url = post_url,
      attempts = greatest(attempts, 1), published_at = ${placeholder('at')}, intended_at = NULL, not_before = NULL, waiting_for = NULL, last_error = NULL
    FROM held WHERE id = held_id RETURNING id, user_id, told, platform, scheduled_at
  ), ended AS (
    UPDATE ${platformSlots} SET ended_at = clock_timestamp() FROM held WHERE publication_id = held_id AND ended_at IS NULL
  ), noted AS (
    INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
    SELECT id, ${placeholder('at')}, 'publishing', 'published', told FROM moved
  )
  SELECT id, platform, extract(epoch FROM ${placeholder('at')} - scheduled_at)::float AS "lateSeconds", ${telling} FROM moved`);

/** Records that posts are published, in one batch for those that end at the same time. */
@Injectable()
export class PublishedRecorder {
  private readonly batched = new Batcher((arrivals: RecordedPost[]) => this.write(arrivals));

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  /** Records the post and ends the publication's job. Returns undefined if another run has taken the publication. */
  record(claim: Claim, published: Published, reason: string): Promise<true | undefined> {
    return this.batched.call({ claim, ...published, reason });
  }

  private async write(arrivals: RecordedPost[]): Promise<(true | undefined)[]> {
    const rows = await recording.run(this.database.pool, {
      ids: arrivals.map(({ claim }) => claim.id),
      fences: arrivals.map(({ claim }) => claim.fence),
      postIds: arrivals.map(({ postId }) => storableText(postId)),
      urls: arrivals.map(({ url }) => (url === undefined ? null : storableText(url))),
      reasons: arrivals.map(({ reason }) => reason),
      at: this.clock.now(),
    });
    for (const { platform, lateSeconds } of rows) this.metrics.published(platform, lateSeconds);
    const recorded = new Set(rows.map(({ id }) => id));
    return arrivals.map(({ claim }) => recorded.has(claim.id) || undefined);
  }
}
