import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../../database/database.js';
import { LOG, type Log } from '../../log/log.js';
import { redactText } from '../../redact.js';
import { storable, storableText } from '../storable.js';
import type { WorkDetails } from '../work-result.js';
import { type EndedRun, type OutcomeName, outcomeName } from './ended-run.js';
import { jobRuns } from './job-runs.table.js';

/** Keeps at most `most` of the items that were added, each with equal probability (reservoir sampling). */
class FairSample<Item> {
  private items: Item[] = [];
  private seen = 0;

  constructor(private readonly most: number) {}

  add(make: () => Item): void {
    this.seen++;
    if (this.items.length < this.most) {
      this.items.push(make());
      return;
    }
    const place = Math.floor(Math.random() * this.seen);
    if (place < this.most) this.items[place] = make();
  }

  take(): Item[] {
    const { items } = this;
    this.items = [];
    this.seen = 0;
    return items;
  }
}

const MAX_USUAL = 1_000;
const MAX_KEPT = 10_000;
const MAX_NAME_LENGTH = 500;
const MAX_REASON_LENGTH = 2_000;
/** Host name and process id. */
export const PROCESS_NAME = `${hostname()}:${process.pid}`;

const USUAL: ReadonlySet<OutcomeName> = new Set(['done', 'nothing-to-do', 'superseded']);

/** Keeps all runs that did not simply succeed, and a uniform sample of the others if there are very many. */
@Injectable()
export class RunHistory {
  private unusual: NewRun[] = [];
  private readonly usual = new FairSample<NewRun>(MAX_USUAL);
  private unstored: NewRun[] = [];
  private isLosing = false;

  constructor(
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  add(run: EndedRun): void {
    const outcome = outcomeName(run.outcome);
    if (USUAL.has(outcome) && run.work?.kind !== 'failure') this.usual.add(() => toNewRun(run, outcome));
    else this.unusual.push(toNewRun(run, outcome));
    // Storing may hang for a long time while runs continue to end, so the list is bounded here too.
    if (this.unusual.length >= 2 * MAX_KEPT) this.unusual = this.newest(this.unusual);
  }

  async store(): Promise<void> {
    const runs = [...this.unstored, ...this.unusual, ...this.usual.take()].toSorted((a, b) => endOf(a) - endOf(b));
    this.unusual = [];
    this.unstored = [];
    if (!runs.length) return;
    try {
      await insertRuns(this.database, runs);
      this.isLosing = false;
    } catch (err) {
      this.unstored = this.newest([...this.unstored, ...runs]);
      this.log.debug({ event: 'run_history_not_stored', err }, 'The history of runs could not be stored, retrying');
    }
  }

  private newest(runs: NewRun[]): NewRun[] {
    if (runs.length > MAX_KEPT && !this.isLosing) {
      this.isLosing = true;
      this.log.warn(
        { event: 'run_history_dropped', kept: MAX_KEPT },
        'Runs could not be stored for a long time, dropping the oldest',
      );
    }
    return runs.slice(-MAX_KEPT);
  }
}

const endOf = ({ startedAt, ms }: NewRun) => startedAt.getTime() + ms;

function toNewRun(run: EndedRun, outcome: OutcomeName): NewRun {
  const { queue, jobId, subject, attempt, startedAt, ms, waitedMs, work } = run;
  const text = 'reason' in run.outcome ? run.outcome.reason : work?.reason;
  const reason = text === undefined ? null : shortened(text, MAX_REASON_LENGTH);
  return {
    queue,
    attempt,
    outcome,
    reason,
    startedAt,
    ms,
    waitedMs,
    worker: PROCESS_NAME,
    jobId: shortened(jobId, MAX_NAME_LENGTH),
    subject: shortened(subject, MAX_NAME_LENGTH),
    result: work?.result ?? null,
    workFailed: work?.kind === 'failure',
    cause: work?.cause ?? null,
    target: work?.target === undefined ? null : shortened(work.target, MAX_NAME_LENGTH),
    details: work?.details ? redactDetails(storable(work.details)) : null,
  };
}

/** Text is redacted before it is cut, because half of a secret may not look like one. */
const shortened = (text: string, maxLength: number) => storableText(redactText(text).slice(0, maxLength));

const redactDetails = (details: WorkDetails): WorkDetails =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
  );

type NewRun = Omit<typeof jobRuns.$inferSelect, 'id'>;

/** A process whose clock runs ahead would keep its rows for too long, so `started_at` is capped. */
async function insertRuns({ db }: Database, runs: NewRun[]): Promise<void> {
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
