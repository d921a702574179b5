import { Inject, Injectable } from '@nestjs/common';
import { getTableColumns, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { Batcher } from '../../platform/database/batcher.js';
import { inHex, packed } from '../../platform/database/columns.js';
import { Database, type Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { type Claim, isAmong, STILL_WAITS } from '../../platform/queue/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { afterSuccess, CHANGED_BY_SUCCESS, type Success } from './after-success.js';
import { type FetchedSource, FetchStatesStore } from './fetch-states.store.js';

/** A fetch whose source and job are still its own. */
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
const changes = columns.map(({ key, name }) => sql`${name} = told.${sql.identifier(key)}`);

/** A row that anybody has written since it was read is left alone: what follows for it was worked out from what it was. */
const recording = new PreparedQuery<Claim>(sql`
  WITH told AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${sql.placeholder('told')}::jsonb)
      AS told (told_id bigint, fence int, version xid, ${sql.join(fields, sql`, `)})
  ), held AS MATERIALIZED (
    SELECT id AS held_id, job_fence AS held_fence FROM ${fetchStates} JOIN told ON id = told_id
    WHERE ${isAmong(sql.placeholder('ids'))} AND job_fence = fence AND ${STILL_WAITS} AND ${fetchStates}.xmin = version
    ORDER BY id FOR NO KEY UPDATE OF ${fetchStates}
  )
  UPDATE ${fetchStates} SET job_state = 'done', ${sql.join(changes, sql`, `)}
  FROM held JOIN told ON told_id = held_id AND fence = held_fence WHERE id = held_id RETURNING id, job_fence AS fence`);

/** Writes how fetches have ended. Most bring nothing new: those that end at the same time are recorded by one statement. */
@Injectable()
export class EndedFetches {
  private readonly batched = new Batcher((fetches: EndedFetch[]) => this.write(fetches));

  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly clock: Clock,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
  ) {}

  /** With it the fetch's job has ended. Undefined if another run has taken the source. */
  async record(claim: Claim, source: FetchedSource, success: Success): Promise<true | undefined> {
    const fetch = { claim, source, success };
    // One that cannot be written together with others is written alone, and fails alone.
    const written = await this.batched.call(fetch).catch(() => false);
    return written || this.recordAlone(claim, success);
  }

  /** The same in the transaction that goes on to write what the fetch has brought. */
  async recordIn(db: Db, claim: Claim, { source, success }: Omit<EndedFetch, 'claim'>): Promise<true | undefined> {
    const told = JSON.stringify([this.toRow({ claim, source, success })]);
    const [written] = await recording.run(db.$client, { ids: [claim.id], told });
    return written ? true : this.recordHeld(db, claim, success);
  }

  private recordAlone(claim: Claim, success: Success): Promise<true | undefined> {
    return this.database.transaction((db) => this.recordHeld(db, claim, success));
  }

  private async recordHeld(db: Db, claim: Claim, success: Success): Promise<true | undefined> {
    const state = await this.states.held(db, claim);
    if (!state) return undefined;
    await this.states.ended(db, state, success, this.clock.now());
    return true;
  }

  private async write(fetches: EndedFetch[]): Promise<boolean[]> {
    const told = JSON.stringify(fetches.map((fetch) => this.toRow(fetch)));
    const rows = await recording.run(this.database.pool, { ids: fetches.map(({ claim }) => claim.id), told });
    const written = new Map(rows.map(({ id, fence }) => [id, fence]));
    return fetches.map(({ claim }) => written.get(claim.id) === claim.fence);
  }

  private toRow({ claim, source, success }: EndedFetch): object {
    const change = afterSuccess(source, success, { rules: this.rules, now: this.clock.now() });
    const rhythm = change.rhythm && inHex(packed(change.rhythm));
    return { ...change, rhythm, told_id: claim.id, fence: claim.fence, version: source.version };
  }
}
