import { Injectable } from '@nestjs/common';
import { and, desc, eq, sql } from 'drizzle-orm';
import { Batcher } from '../../platform/database/batcher.js';
import { Database, type Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { recordDeadLetter } from '../../platform/jobs/dead-letters/record-dead-letter.js';
import { JOB_DONE } from '../../platform/jobs/job-columns.js';
import { type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { type Claim, claimLists } from '../../platform/jobs/job-rows.js';
import { GiveUp } from '../../platform/jobs/outcomes.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { platformSlots } from '../limits/platform-slots.table.js';
import type { AnnouncedLimit, Published } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { telling } from '../publications/publication-changed.event.js';
import { type Publication, publicationChanges, publications } from '../publications/publications.table.js';
import { AttemptsStore, type ReconciliationSchedule, type RetrySchedule } from './attempts.store.js';
import type { Attempt } from './platform-caller.js';
import { claimedPublication, type PublishResult, publicationRows, publishJobs, reportPost } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';
import { testHooks } from './test-hooks.js';

interface RecordedPost extends Published {
  claim: Claim;
  reason: string;
}

const { placeholder } = sql;

const recording = new PreparedQuery<{ id: string; platform: string; lateSeconds: number }>(sql`
  WITH held AS MATERIALIZED (
    ${publicationRows.fenced({
      lists: { post_id: 'text', post_url: 'text', reason: 'text' },
      columns: sql`post_id, post_url, reason`,
      only: sql`status = 'publishing'`,
    })}
  ), moved AS (
    UPDATE ${publications} SET ${JOB_DONE}, status = 'published', platform_post_id = post_id, platform_url = post_url,
      attempts = greatest(attempts, 1), published_at = ${placeholder('at')}, intended_at = NULL, not_before = NULL, waiting_for = NULL, last_error = NULL
    FROM held WHERE id = held_id RETURNING id, user_id, held.reason, platform, scheduled_at
  ), ended AS (
    UPDATE ${platformSlots} SET ended_at = clock_timestamp() FROM held WHERE publication_id = held_id AND ended_at IS NULL
  ), noted AS (
    INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
    SELECT id, ${placeholder('at')}, 'publishing', 'published', reason FROM moved
  )
  SELECT id, platform, extract(epoch FROM ${placeholder('at')} - scheduled_at)::float AS "lateSeconds", ${telling} FROM moved`);

@Injectable()
export class PublishAttempts {
  private readonly batched = new Batcher((posts: RecordedPost[]) => this.write(posts));

  constructor(
    private readonly database: Database,
    private readonly store: AttemptsStore,
    private readonly accounts: AccountsStore,
    private readonly metrics: PublishMetrics,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if there is nothing to do any more. */
  load(run: JobRun): Attempt | undefined {
    const publication = claimedPublication(run);
    if (!['queued', 'publishing'].includes(publication.status)) return undefined;
    run.report({ target: publication.platform });
    const platform = findPlatform(publication.platform);
    if (!platform) throw new GiveUp(`there is no platform ${publication.platform} any more`);
    return { publication, platform, run };
  }

  async saveProgress({ publication, run }: Attempt, progress: unknown): Promise<void> {
    await run.write((db) => this.store.saveProgress(db, publication, progress));
  }

  async intendRepeat<T extends Attempt>(attempt: T, settledAt: Date): Promise<T> {
    const publication = await attempt.run.write((db) => this.store.repeat(db, attempt.publication, settledAt));
    return { ...attempt, publication };
  }

  /** The post is recorded in one batch with others. `reason` is the evidence for it. */
  async published(
    { publication, run }: Attempt,
    { postId, url, announced }: Published & { announced?: AnnouncedLimit },
    reason: string,
  ): Promise<void> {
    await run.commitTogether((claim) => this.batched.call({ claim, postId, url, reason }));
    run.progress(90, `Recorded the post as ${url ?? postId}`);
    run.report({ result: 'published', details: { postId, url: url ?? null } });
    await testHooks.reach('committed and not acknowledged');
    if (announced) await this.accounts.applyRateLimit(publication.account, announced);
  }

  async again({ publication, run }: Attempt, result: PublishResult, schedule: RetrySchedule): Promise<void> {
    reportPost(run, result, schedule.reason);
    await run.commit((db) => this.store.again(db, publication, schedule));
  }

  /** The call was not intended yet, so this costs no attempt. */
  async postpone(attempt: Attempt, { until, reason }: { until: Date; reason: string }): Promise<undefined> {
    const { publication, run } = attempt;
    reportPost(run, 'postponed');
    const schedule = { until, reason: `it waits for ${reason}`, waitingFor: reason, countsAttempt: false };
    await run.commit((db) => this.store.again(db, { ...publication, attempts: publication.attempts + 1 }, schedule));
  }

  async handBack({ publication, run }: Attempt): Promise<undefined> {
    reportPost(run, 'changed');
    await run.commit((db) => this.store.handBack(db, publication));
  }

  async reconcileLater(
    { publication, run }: Attempt,
    schedule: ReconciliationSchedule,
    result: PublishResult = 'unconfirmed',
  ): Promise<void> {
    reportPost(run, result, result === 'unconfirmed' ? (schedule.lastError ?? undefined) : undefined);
    await run.commit((db) => this.store.reconcileLater(db, publication, schedule));
  }

  async suspect({ publication, run }: Attempt, reason: string): Promise<void> {
    reportPost(run, 'unconfirmed', reason);
    await run.commit((db) => this.store.suspected(db, publication, reason));
  }

  async expire({ publication, run }: Attempt, reason: string): Promise<void> {
    reportPost(run, 'expired', reason);
    await run.commit((db) => this.store.expired(db, publication, reason));
    this.metrics.ended(publication, 'expired');
  }

  async askPerson({ publication, run }: Attempt, reason: string): Promise<void> {
    reportPost(run, 'unknown', reason);
    await run.commit((db) => this.store.unknown(db, publication, reason));
    this.metrics.ended(publication, 'unknown');
  }

  async fail({ publication, run }: Attempt, reason: string): Promise<void> {
    reportPost(run, 'failed', reason);
    await run.commit(async (db) => {
      await this.store.failed(db, publication, reason);
      await buryPublication(db, publication, { reason, at: this.clock.now() });
    });
    this.metrics.ended(publication, 'failed');
  }

  async stopped(db: Db, publicationId: string): Promise<void> {
    const ended = await this.store.stopped(db, publicationId, OUR_MISTAKE);
    if (ended) this.metrics.ended(ended.publication, ended.status);
  }

  async replayed(db: Db, publicationId: string): Promise<void> {
    await this.store.replayed(db, publicationId);
  }

  private async write(posts: RecordedPost[]): Promise<(true | undefined)[]> {
    const rows = await recording.run(this.database.pool, {
      ...claimLists(posts.map(({ claim }) => claim)),
      post_id: posts.map(({ postId }) => storableText(postId)),
      post_url: posts.map(({ url }) => (url === undefined ? null : storableText(url))),
      reason: posts.map(({ reason }) => reason),
      at: this.clock.now(),
    });
    for (const { platform, lateSeconds } of rows) this.metrics.published(platform, lateSeconds);
    const recorded = new Set(rows.map(({ id }) => id));
    return posts.map(({ claim }) => recorded.has(claim.id) || undefined);
  }
}

async function buryPublication(
  db: Db,
  { id, platform, accountId, content, attempts }: Publication,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const queue = publishJobs.get(platform)?.name ?? platform;
  const tries = await db
    .select()
    .from(publicationChanges)
    .where(and(eq(publicationChanges.publicationId, id), eq(publicationChanges.isFailedTry, true)))
    .orderBy(desc(publicationChanges.id))
    .limit(Math.max(0, attempts - 1));
  const failures = tries.reverse().map((change) => ({ at: change.at.toISOString(), reason: change.reason }));
  const last = { at: at.toISOString(), reason };
  const [first = last, ...rest] = failures;
  await recordDeadLetter(db, {
    queue,
    jobName: queue,
    subject: id,
    payload: { publicationId: id, accountId, content },
    history: failures.length ? [first, ...rest, last] : [last],
  });
}
