import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import type { RowJob } from '../../platform/jobs/job-catalogue.js';
import { MAX_PRIORITY, type WaitingRow } from '../../platform/jobs/job-rows.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { FetchCause, FetchJob } from '../run/fetch-jobs.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { LAST_TIER_PRIORITY } from './tier-priority.js';

const BATCH_SIZE = 1_000;
/** Number of sources of a long list that share a priority, so that users alternate in blocks of this size. */
const BLOCK_SIZE = 10;
/** Maximum number of waiting sources whose priority one request raises. Each costs a call to the queue. */
const MAX_RAISED = 10;

interface Request {
  userId: string;
  cause: FetchCause;
  /** This is checked again once a row is locked. */
  only?: SQL | undefined;
}

/**
 * The priority of a source is its position among all that wait for this user, so the first source of one user never
 * waits for the thousandth of another. The rest of a long list comes after scheduled fetches.
 */
export async function* putRequestedToWork(
  db: Db,
  job: RowJob<FetchJob>,
  ids: string[],
  { userId: owner, cause, only }: Request,
): AsyncGenerator<WaitingRow[]> {
  const waiting = ids.length ? await job.rows.waitingOf(db, owner) : 0;
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE);
    yield await job.rows.putToWork(db, batch, { priority: priorityOf(batch, waiting + at), owner, cause, only });
  }
}

interface RequestedSource extends Pick<FetchState, 'id' | 'type'> {
  isWaiting: boolean;
}

@Injectable()
export class RequestedFetches {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly catalogue: SourceCatalogue,
  ) {}

  get types(): string[] {
    return [...this.catalogue.jobs.keys()];
  }

  async start(sources: RequestedSource[], request: Request): Promise<void> {
    const { db } = this.database;
    for (const [type, job] of this.catalogue.jobs) {
      const ofType = sources.filter((one) => one.type === type);
      const idle = ofType.filter(({ isWaiting }) => !isWaiting).map(({ id }) => id);
      for await (const rows of putRequestedToWork(db, job, idle, request)) await this.jobs.enqueueRows(job, rows);
      const waiting = ofType.filter(({ isWaiting }) => isWaiting).map(({ id }) => id);
      await this.jobs.raisePriority(job, await raiseRequested(db, job, waiting, request));
    }
  }
}

async function raiseRequested(
  db: Db,
  job: RowJob<FetchJob>,
  ids: string[],
  { userId: owner, cause }: Request,
): Promise<WaitingRow[]> {
  const raised = ids.slice(0, MAX_RAISED);
  if (!raised.length) return [];
  const priority = priorityOf(raised, await job.rows.waitingOf(db, owner));
  return job.rows.raise(db, raised, { priority, owner, cause });
}

function priorityOf(ids: string[], waiting: number): SQL {
  const place = sql`(${waiting}::int + array_position(${sql.param(ids)}::bigint[], id) - 1)`;
  const afterTiers = LAST_TIER_PRIORITY + 1;
  return sql`least(${MAX_PRIORITY}, ${place}, ${afterTiers}::int + (${place} - ${afterTiers}::int) / ${BLOCK_SIZE}::int)`;
}
