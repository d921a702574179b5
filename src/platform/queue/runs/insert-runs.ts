import { sql } from 'drizzle-orm';
import type { Database } from '../../database/database.js';
import { jobRuns } from './job-runs.table.js';

export type NewRun = Omit<typeof jobRuns.$inferSelect, 'id'>;

/** No run begins in the future, whatever the clock of its process says: it would be kept for too long, and what comes after it as well. */
export async function insertRuns({ db }: Database, runs: NewRun[]): Promise<void> {
  const all = <Of extends keyof NewRun>(of: Of) => sql.param(runs.map((run) => run[of]));
  await db.execute(sql`
    INSERT INTO ${jobRuns} (queue, job_id, subject, attempt, outcome, reason, started_at, ms, waited_ms, worker,
      result, work_failed, cause, target, details)
    SELECT queue, job_id, subject, attempt, outcome, reason, least(started_at, now()), ms, waited_ms, worker,
      result, work_failed, cause, target, details::jsonb FROM unnest(
      ${all('queue')}::text[], ${all('jobId')}::text[], ${all('subject')}::text[], ${all('attempt')}::int[],
      ${all('outcome')}::text[], ${all('reason')}::text[],
      ${sql.param(runs.map(({ startedAt }) => startedAt.toISOString()))}::timestamptz[],
      ${all('ms')}::int[], ${all('waitedMs')}::int[], ${all('worker')}::text[],
      ${all('result')}::text[], ${all('workFailed')}::boolean[], ${all('cause')}::text[], ${all('target')}::text[],
      ${sql.param(runs.map(({ details }) => details && JSON.stringify(details)))}::text[]
    ) AS ended (queue, job_id, subject, attempt, outcome, reason, started_at, ms, waited_ms, worker,
      result, work_failed, cause, target, details)`);
}
