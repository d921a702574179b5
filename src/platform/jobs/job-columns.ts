import { type SQL, sql } from 'drizzle-orm';
import { index, integer, type PgColumn, type PgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';
import { unestimated } from '../database/planner.js';

const JOB_STATES = ['idle', 'waiting', 'done', 'failed'] as const;
type JobState = (typeof JOB_STATES)[number];

// A row is the truth about a job; the queue only says when to run it. The sweep creates the job that a `waiting` row
// lacks. Only this folder and table files name the columns of the state, the run and the fence.
export const jobColumns = () => ({
  jobState: text({ enum: JOB_STATES }).notNull().default('waiting'),
  /** Rises each time the row is put to work, which tells a late job of an earlier run apart. */
  jobRun: integer().notNull().default(1),
  /** Rises each time a worker claims the row, so the writes of an earlier claim are refused. */
  jobFence: integer().notNull().default(0),
  /** BullMQ's priority: 0 runs first, then 1, 2, … */
  jobPriority: integer().notNull().default(0),
  jobRunAt: instant().notNull().defaultNow(),
  jobCause: text(),
  /** Set for jobs whose owners share the workers fairly. */
  jobOwner: text(),
  /** When the sweep looks at the row next. The default leaves time for the writer of the row to enqueue it. */
  jobSweepAt: instant().notNull().default(sql`now() + interval '5 seconds'`),
});

export type JobTable = PgTable & Record<'id' | keyof ReturnType<typeof jobColumns>, PgColumn>;

export const waitingIndex = (name: string, table: { jobSweepAt: PgColumn }) =>
  index(name)
    .on(table.jobSweepAt as never)
    .where(sql`job_state = 'waiting'`);

export interface JobStatus {
  jobState: JobState;
}

/** Whether a job exists for the row, in the queue or running. */
export const isWaiting = ({ jobState }: JobStatus) => jobState === 'waiting';

export const jobInState = <State extends JobState>(jobState: State) => ({ jobState });

/** Does for `INSERT … SELECT` what `jobInState('idle')` does for an insert. */
export const IDLE_JOB = { column: sql`job_state`, value: sql`'idle'` };

/** The columns of a `WaitingRow`, for the RETURNING clause of an insert. Pass the rows to `Jobs.enqueueRows`. */
export const waitingRow = <Id, Run, Priority, At, Owner>(table: {
  id: Id;
  jobRun: Run;
  jobPriority: Priority;
  jobRunAt: At;
  jobOwner: Owner;
}) => ({
  id: table.id,
  run: table.jobRun,
  priority: table.jobPriority,
  runAt: table.jobRunAt,
  owner: table.jobOwner,
});

/** Ends the row's work. Use it in the SET clause of a statement that has locked the rows with `JobRows.fenced`. */
export const JOB_DONE = sql`job_state = 'done'`;

/** The state is a literal and not a parameter, so that it matches the conditions of partial indexes. */
export const jobIs = (state: JobState, of?: PgTable | string) =>
  sql<boolean>`${columnOf('job_state', of)} = ${literal(state)}`;

export const jobIsNot = (state: JobState, of?: PgTable | string) =>
  sql<boolean>`${columnOf('job_state', of)} <> ${literal(state)}`;

/** Postponed rows are waiting, too. This condition leaves out those that may not run within this number of seconds. */
export const jobIsDueIn = (seconds: number) => sql<boolean>`job_run_at <= now() + make_interval(secs => ${seconds})`;

/** A number that changes when the row is put to work and when its work ends, to notice either between two statements. */
export const jobVersion = (of?: PgTable | string) =>
  sql<number>`(2 * ${columnOf('job_run', of)} + (${jobIs('waiting', of)})::int)`;

export const SAME_OWNER = sql`job_owner`;

export const STILL_WAITS = sql`${unestimated(sql`job_state`)} = 'waiting'`;

function columnOf(name: string, of: PgTable | string | undefined): SQL {
  if (of === undefined) return sql.raw(name);
  return sql`${typeof of === 'string' ? sql.identifier(of) : of}.${sql.raw(name)}`;
}

const literal = (state: JobState) => sql.raw(`'${state}'`);
