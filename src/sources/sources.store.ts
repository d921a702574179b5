import { Injectable } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { IDLE_JOB } from '../platform/jobs/job-columns.js';
import { fetchStates } from './fetch-states.table.js';
import { type SourceIdentity, sourceAliases, sources } from './sources.table.js';

interface SourceDescription {
  title?: string | undefined;
  siteUrl?: string | undefined;
}

/** Ids of sources by identity. A type contains no spaces. */
export type SourceIds = Map<`${string} ${string}`, string>;
export const keyOf = ({ type, externalId }: SourceIdentity) => `${type} ${externalId}` as const;

/** To avoid deadlocks, lock the user's row first, then `fetch_states` in the order of ids, then `sources`. */
@Injectable()
export class SourcesStore {
  async ensure(db: Db, identities: SourceIdentity[]): Promise<SourceIds> {
    const known = await this.find(db, identities);
    const missing = identities.filter((identity) => !known.has(keyOf(identity)));
    if (!missing.length) return known;
    const made = await this.insert(db, missing);
    const all: SourceIds = new Map([...known, ...made]);
    // Sources that others have created meanwhile are found by a second query.
    return missing.every((identity) => all.has(keyOf(identity))) ? all : this.find(db, identities);
  }

  /** Includes a source that has moved, because posts are stored where they were fetched, not at a target. */
  async ensureOwn(db: Db, identity: SourceIdentity): Promise<string> {
    const own = async () => {
      const { type, externalId } = sources;
      const same = and(eq(type, identity.type), sql`md5(${externalId}) = md5(${identity.externalId})`);
      return (await db.select({ id: sources.id }).from(sources).where(same))[0]?.id;
    };
    const id = (await own()) ?? (await this.insert(db, [identity])).get(keyOf(identity)) ?? (await own());
    if (!id) throw new Error(`The source ${keyOf(identity)} vanished while it was being made.`);
    return id;
  }

  /** A source that has moved is replaced by its target. */
  async find(db: Db, identities: SourceIdentity[]): Promise<SourceIds> {
    const { rows } = await db.execute<{ type: string; externalId: string; id: string }>(sql`
      SELECT wanted.type, wanted.external_id AS "externalId", coalesce(state.moved_to, state.id) AS id
      FROM ${wantedRows(identities)}
      LEFT JOIN ${sources} AS source
        ON source.type = wanted.type AND md5(source.external_id) = md5(wanted.external_id)
      LEFT JOIN ${sourceAliases} AS alias
        ON alias.type = wanted.type AND md5(alias.external_id) = md5(wanted.external_id)
      JOIN ${fetchStates} AS state ON state.id = coalesce(source.id, alias.source_id)`);
    return new Map(rows.map((row) => [keyOf(row), row.id]));
  }

  async current(db: Db, id: string): Promise<string | undefined> {
    const { movedTo } = fetchStates;
    const [state] = await db.select({ id: fetchStates.id, movedTo }).from(fetchStates).where(eq(fetchStates.id, id));
    return state?.movedTo ?? state?.id;
  }

  /** Sources cannot move before the transaction ends. Returns those that exist and have not moved. */
  async hold(db: Db, ids: string[]): Promise<Set<string>> {
    const { rows } = await db.execute<{ id: string }>(sql`
      SELECT id FROM ${fetchStates} WHERE id = ANY(${sql.param(ids)}::bigint[]) AND moved_to IS NULL
      ORDER BY id FOR UPDATE`);
    return new Set(rows.map(({ id }) => id));
  }

  /** Does not wait. Returns false if the source does not exist or another transaction has locked it. */
  async holdFree(db: Db, id: string): Promise<boolean> {
    const { rowCount } = await db.execute(sql`SELECT FROM ${fetchStates} WHERE id = ${id} FOR UPDATE SKIP LOCKED`);
    return rowCount === 1;
  }

  async changeFollowers(db: Db, ids: string[], by: 1 | -1): Promise<void> {
    await db.execute(sql`
      UPDATE ${sources} SET followers = followers + ${by}::int WHERE id = ANY(${sql.param(ids)}::bigint[])`);
  }

  /** Inserts in a fixed order, so that two transactions with the same sources do not deadlock. */
  private async insert(db: Db, identities: SourceIdentity[]): Promise<SourceIds> {
    const { rows } = await db.execute<{ type: string; externalId: string; id: string }>(sql`
      WITH made AS (
        INSERT INTO ${sources} (type, external_id)
        SELECT type, external_id FROM ${wantedRows(identities)} ORDER BY type, md5(external_id)
        ON CONFLICT DO NOTHING RETURNING id, type, external_id
      ), scheduled AS (
        INSERT INTO ${fetchStates} (id, type, ${IDLE_JOB.column}) SELECT id, type, ${IDLE_JOB.value} FROM made
      )
      SELECT id, type, external_id AS "externalId" FROM made`);
    return new Map(rows.map((row) => [keyOf(row), row.id]));
  }
}

export async function describeSource(db: Db, id: string, said: SourceDescription): Promise<void> {
  const { title, siteUrl } = { title: said.title ?? null, siteUrl: said.siteUrl ?? null };
  await db.execute(sql`
    UPDATE ${sources} SET title = coalesce(${title}, title), site_url = coalesce(${siteUrl}, site_url),
      icon_site = CASE WHEN site_url IS DISTINCT FROM coalesce(${siteUrl}, site_url) THEN NULL ELSE icon_site END
    WHERE id = ${id} AND (title, site_url) IS DISTINCT FROM (coalesce(${title}, title), coalesce(${siteUrl}, site_url))`);
}

const wantedRows = (identities: SourceIdentity[]) => sql`unnest(
  ${sql.param(identities.map(({ type }) => type))}::text[],
  ${sql.param(identities.map(({ externalId }) => externalId))}::text[]) AS wanted (type, external_id)`;
