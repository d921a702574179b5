import { Inject, Injectable } from '@nestjs/common';
import { getTableColumns, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { Batcher } from '../../platform/database/batcher.js';
import { inHex, packed } from '../../platform/database/columns.js';
import { Database, type Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { JOB_DONE } from '../../platform/jobs/job-columns.js';
import { type Claim, claimLists } from '../../platform/jobs/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { afterSuccess, CHANGED_BY_SUCCESS, type Success } from './after-success.js';
import { fetchRows } from './fetch-jobs.js';
import { type FetchedSource, FetchStatesStore } from './fetch-states.store.js';

/** A successful fetch whose job and source are still claimed by this run. */
interface EndedFetch {
  claim: Claim;
  source: FetchedSource;
  success: Success;
}

const columns = CHANGED_BY_SUCCESS.map((key) => {
  const column = getTableColumns(fetchStates)[key];
  return { key, name: sql.identifier(toSnakeCase(key)), type: sql.raw(column.getSQLType()) };
});
const fields = columns.map(({ key, type }) => sql`${sql.identifier(key)} ${type}`);
const changes = columns.map(({ key, name }) => sql`${name} = changed.${sql.identifier(key)}`);

/** Rows that were changed since they were read are skipped, because the new values were computed from the old ones. */
const recording = new PreparedQuery<Claim>(sql`
  WITH changed AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${sql.placeholder('changed')}::jsonb)
      AS changed (changed_id bigint, fence int, ${sql.join(fields, sql`, `)})
  ), held AS MATERIALIZED (
    ${fetchRows.fenced({ lists: { version: 'xid' }, only: sql`${fetchStates}.xmin = version` })}
  )
  UPDATE ${fetchStates} SET ${JOB_DONE}, ${sql.join(changes, sql`, `)}
  FROM held JOIN changed ON changed_id = held_id AND fence = held_fence WHERE id = held_id RETURNING id, fence`);

/**
 * Records successful fetches. Most bring nothing new, and those that end at the same time are written by one
 * statement.
 */
@Injectable()
export class EndedFetches {
  private readonly batched = new Batcher((fetches: EndedFetch[]) => this.write(fetches));

  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly clock: Clock,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
  ) {}

  /** Also ends the job of the fetch. Returns undefined if another run has claimed the source. */
  async record(claim: Claim, source: FetchedSource, success: Success): Promise<true | undefined> {
    const fetch = { claim, source, success };
    // A fetch that fails to be written with others is written alone, so that it can only fail itself.
    const written = await this.batched.call(fetch).catch(() => false);
    return written || this.recordAlone(claim, success);
  }

  /** Records the fetch inside a transaction that also writes its posts. */
  async recordIn(db: Db, claim: Claim, { source, success }: Omit<EndedFetch, 'claim'>): Promise<true | undefined> {
    const [written] = await recording.run(db.$client, this.toValues([{ claim, source, success }]));
    return written ? true : this.recordHeld(db, claim, success);
  }

  private recordAlone(claim: Claim, success: Success): Promise<true | undefined> {
    return this.database.transaction((db) => this.recordHeld(db, claim, success));
  }

  private async recordHeld(db: Db, claim: Claim, success: Success): Promise<true | undefined> {
    if (!(await fetchRows.finish(db, claim, 'done'))) return undefined;
    await this.states.succeeded(db, claim.id, success, this.clock.now());
    return true;
  }

  private async write(fetches: EndedFetch[]): Promise<boolean[]> {
    const rows = await recording.run(this.database.pool, this.toValues(fetches));
    const written = new Map(rows.map(({ id, fence }) => [id, fence]));
    return fetches.map(({ claim }) => written.get(claim.id) === claim.fence);
  }

  private toValues(fetches: EndedFetch[]) {
    return {
      ...claimLists(fetches.map(({ claim }) => claim)),
      version: fetches.map(({ source }) => source.version),
      changed: JSON.stringify(fetches.map((fetch) => this.toRow(fetch))),
    };
  }

  private toRow({ claim, source, success }: EndedFetch): object {
    const change = afterSuccess(source, success, { rules: this.rules, now: this.clock.now() });
    const rhythm = change.rhythm && inHex(packed(change.rhythm));
    return { ...change, rhythm, changed_id: claim.id, fence: claim.fence };
  }
}
