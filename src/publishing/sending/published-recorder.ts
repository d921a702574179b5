import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Batcher } from '../../platform/database/batcher.js';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { JOB_DONE } from '../../platform/jobs/job-columns.js';
import { type Claim, claimLists } from '../../platform/jobs/job-rows.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { platformSlots } from '../limits/platform-slots.table.js';
import type { Published } from '../platform.js';
import { telling } from '../publications/publication-changed.event.js';
import { publicationChanges, publications } from '../publications/publications.table.js';
import { publicationRows } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';

interface RecordedPost extends Published {
  claim: Claim;
  /** The evidence that the post was published. */
  reason: string;
}

const { placeholder } = sql;

const recording = new PreparedQuery<{ id: string; platform: string; lateSeconds: number }>(sql`
  WITH held AS MATERIALIZED (
    ${publicationRows.fenced({
      lists: { post_id: 'text', post_url: 'text', told: 'text' },
      columns: sql`post_id, post_url, told`,
      only: sql`status = 'publishing'`,
    })}
  ), moved AS (
    UPDATE ${publications} SET ${JOB_DONE}, status = 'published', platform_post_id = post_id, platform_url = post_url,
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
      ...claimLists(arrivals.map(({ claim }) => claim)),
      post_id: arrivals.map(({ postId }) => storableText(postId)),
      post_url: arrivals.map(({ url }) => (url === undefined ? null : storableText(url))),
      told: arrivals.map(({ reason }) => reason),
      at: this.clock.now(),
    });
    for (const { platform, lateSeconds } of rows) this.metrics.published(platform, lateSeconds);
    const recorded = new Set(rows.map(({ id }) => id));
    return arrivals.map(({ claim }) => recorded.has(claim.id) || undefined);
  }
}
