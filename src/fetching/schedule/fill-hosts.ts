import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { sources } from '../../sources/sources.table.js';
import type { FetchTypes } from '../fetch-types.js';

/** A fetch that succeeds says whose requests it needs; the others are filled in a few at a time. */
const AT_ONCE = 5_000;

/** Gives sources a host that are fetched and have none yet, without waiting for those that somebody holds. */
export async function fillHosts(db: Db, types: FetchTypes): Promise<void> {
  const asked = types.fetchers.filter(({ remote }) => !remote).map(({ type }) => type);
  const { rows } = await db.execute<Record<'id' | 'type' | 'externalId', string>>(sql`
    SELECT source.id, source.type, source.external_id AS "externalId"
    FROM ${fetchStates} AS state JOIN ${sources} AS source ON source.id = state.id
    WHERE state.host IS NULL AND state.active_followers > 0 AND state.type = ANY(${sql.param(asked)}::text[])
    LIMIT ${AT_ONCE}`);
  const found = rows.flatMap((row) => {
    const host = types.hostOf(row);
    return host ? [{ id: row.id, host }] : [];
  });
  if (!found.length) return;
  const ids = sql.param(found.map(({ id }) => id));
  await db.execute(sql`
    UPDATE ${fetchStates} AS state SET host = wanted.host
    FROM unnest(${ids}::bigint[], ${sql.param(found.map(({ host }) => host))}::text[]) AS wanted (id, host)
    WHERE state.id = wanted.id AND state.id IN (
      SELECT id FROM ${fetchStates} WHERE id = ANY(${ids}::bigint[])
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`);
}
