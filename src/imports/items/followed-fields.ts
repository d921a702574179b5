import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { KeptFields } from '../../fetching/run/kept-fields.js';
import { Database, type Db } from '../../platform/database/database.js';
import { storable } from '../../platform/jobs/storable.js';
import { md5 } from '../../posts/clean-post.js';
import type { FoundPost } from '../../posts/post.js';
import { posts } from '../../posts/posts.table.js';
import { follows } from '../../sources/follows.table.js';
import { importFeeds } from '../feeds/import-feeds.table.js';
import { imports } from '../imports.table.js';
import type { FieldMapping, Fields } from './field-mapping.js';
import { fieldTerms } from './field-terms.js';
import { ImportBatchesStore } from './import-batches.store.js';
import { importBatches } from './import-batches.table.js';
import { importItems } from './import-items.table.js';

/** Imports of one source whose fields are kept up, at most. Each costs a row for each new post. */
const MAX_IMPORTS = 100;

interface FollowingImport extends Record<string, unknown> {
  importId: string;
  feedId: string;
  fields: FieldMapping;
}

interface PostFields {
  identity: string;
  fields: Fields;
}

/** Keeps up the fields of imported feeds that their user follows: later fetches read and store them, too. */
@Injectable()
export class FollowedFields implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly kept: KeptFields,
    private readonly batches: ImportBatchesStore,
  ) {}

  onModuleInit() {
    this.kept.keepFor({
      pathsOf: async (sourceId) => pathsOf(await importsOf(this.database.db, sourceId)),
      store: (db, sourceId, found) => this.store(db, sourceId, found),
    });
  }

  private async store(db: Db, sourceId: string, found: FoundPost[]): Promise<void> {
    for (const one of await importsOf(db, sourceId)) {
      const read = found.flatMap((post) => {
        const fields = fieldsFor(one.fields, post.fields ?? {});
        return fields ? [{ identity: md5(post.externalId), fields: storable(fields) }] : [];
      });
      const added = await updateItems(db, { ...one, sourceId }, read);
      if (added.length) await this.addItems(db, { ...one, sourceId }, added);
    }
  }

  /** The batch counts nothing, because the totals of an import do not change after its end. */
  private async addItems(db: Db, one: FollowingImport & { sourceId: string }, added: PostFields[]): Promise<void> {
    const { importId, feedId, sourceId } = one;
    const { rows } = await db.execute<{ id: string }>(
      sql`SELECT id FROM ${importBatches} WHERE feed_id = ${feedId} AND found = 0 ORDER BY id LIMIT 1`,
    );
    const batchId = rows[0]?.id ?? (await this.batches.insertWritten(db, { id: feedId, importId }, 0));
    await db.execute(sql`
      INSERT INTO ${importItems} (import_id, batch_id, post_id, outcome, fields, field_terms)
      SELECT ${importId}::bigint, ${batchId}::bigint, ${posts.id}, 'new', read.fields, read.terms
      FROM ${readRows(added)} JOIN ${posts} ON source_id = ${sourceId} AND md5(external_id) = identity
      ORDER BY ${posts.id} ON CONFLICT DO NOTHING`);
  }
}

/** The newest import of each user counts, as long as the user follows the source. */
async function importsOf(db: Db, sourceId: string): Promise<FollowingImport[]> {
  const { rows } = await db.execute<FollowingImport>(sql`
    SELECT * FROM (
      SELECT DISTINCT ON (owner.user_id) owner.id AS "importId", feed.id AS "feedId", owner.fields
      FROM ${importFeeds} AS feed JOIN ${imports} AS owner ON owner.id = feed.import_id
      JOIN ${follows} ON ${follows.userId} = owner.user_id AND ${follows.sourceId} = feed.source_id
      WHERE feed.source_id = ${sourceId} AND feed.status = 'done'
        AND owner.status = 'completed' AND owner.follow AND owner.fields IS NOT NULL
      ORDER BY owner.user_id, owner.id DESC, feed.id
    ) AS newest ORDER BY "importId" DESC LIMIT ${MAX_IMPORTS}`);
  return rows;
}

/** Imports may give one name to different paths, so fields are read under their paths, and each of them once. */
const pathsOf = (all: FollowingImport[]) =>
  Object.fromEntries(all.flatMap(({ fields }) => Object.values(fields).map(({ from }) => [nameOf(from), from])));

const nameOf = (paths: string[]) => paths.join('\n');

/** Undefined if a required field is missing. */
function fieldsFor(mapping: FieldMapping, read: Fields): Fields | undefined {
  const fields: Fields = {};
  for (const [name, { from, required }] of Object.entries(mapping)) {
    const value = read[nameOf(from)];
    if (value !== undefined) fields[name] = value;
    else if (required) return undefined;
  }
  return fields;
}

/** Returns the fields of posts that the import does not have yet. */
async function updateItems(
  db: Db,
  { importId, sourceId }: Pick<FollowingImport, 'importId'> & { sourceId: string },
  read: PostFields[],
): Promise<PostFields[]> {
  if (!read.length) return [];
  const { rows } = await db.execute<{ identity: string }>(sql`
    WITH held AS MATERIALIZED (
      SELECT item.post_id, identity, read.fields, read.terms, item.fields IS DISTINCT FROM read.fields AS differs
      FROM ${readRows(read)} JOIN ${posts} ON source_id = ${sourceId} AND md5(external_id) = identity
      JOIN ${importItems} AS item ON item.import_id = ${importId} AND item.post_id = ${posts.id}
      ORDER BY item.post_id FOR UPDATE OF item
    ), changed AS (
      UPDATE ${importItems} AS item SET fields = held.fields, field_terms = held.terms FROM held
      WHERE item.import_id = ${importId} AND item.post_id = held.post_id AND differs
    )
    SELECT identity FROM held`);
  const known = new Set(rows.map(({ identity }) => identity));
  return read.filter(({ identity }) => !known.has(identity));
}

const readRows = (read: PostFields[]) => sql`(
  SELECT identity, fields::jsonb AS fields, ARRAY(SELECT jsonb_array_elements_text(terms::jsonb)) AS terms
  FROM unnest(
    ${sql.param(read.map(({ identity }) => identity))}::text[],
    ${sql.param(read.map(({ fields }) => JSON.stringify(fields)))}::text[],
    ${sql.param(read.map(({ fields }) => JSON.stringify(fieldTerms(fields))))}::text[]
  ) AS given (identity, fields, terms)) AS read`;
