import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const BATCH = 1_000;
const TABLES = ['posts', 'post_words'];

/**
 * Measures posts per second for writing all stored posts and their words, with all columns, into empty tables with the
 * same indexes, on one connection with two statements per batch. Reading them is not counted.
 */
export async function barePostsPerSecond(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await wordsStored(client);
    const copies = await Promise.all(TABLES.map((table) => copyOf(client, table)));
    await client.query('CHECKPOINT');
    let [posts, ms, after] = [0, 0, '0'];
    for (;;) {
      const batches = await Promise.all(copies.map((copy) => read(client, copy, after)));
      const rows = batches[0] ?? [];
      if (!rows.length) return posts / (ms / 1_000);
      const start = performance.now();
      for (const [at, copy] of copies.entries()) await write(client, copy, batches[at] ?? []);
      ms += performance.now() - start;
      posts += rows.length;
      after = rows.at(-1)?.id ?? '';
    }
  } finally {
    for (const table of TABLES) await client.query(`DROP TABLE IF EXISTS bare_${table}`);
    await client.end();
  }
}

/** The program stores the words of imported posts within a minute. */
async function wordsStored(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT FROM unindexed_posts LIMIT 1');
    if (!rows.length) return;
    await sleep(500);
  }
}

interface Copy {
  table: string;
  columns: Column[];
}

interface Column {
  name: string;
  type: string;
}
type Row = Record<string, string | null> & { id: string };

async function copyOf(client: pg.Client, table: string): Promise<Copy> {
  await client.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`);
  const { rows: columns } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return { table, columns };
}

/** Values are read as text, which PostgreSQL parses again for every type. */
async function read(client: pg.Client, { table, columns }: Copy, after: string): Promise<Row[]> {
  const list = columns.map(({ name }) => `${name}::text AS ${name}`).join(', ');
  const { rows } = await client.query<Row>(
    `SELECT ${list} FROM ${table} WHERE ${table}.id > $1::bigint ORDER BY ${table}.id LIMIT ${BATCH}`,
    [after],
  );
  return rows;
}

async function write(client: pg.Client, { table, columns }: Copy, rows: Row[]): Promise<void> {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
  const names = columns.map(({ name }) => name);
  await client.query(
    `INSERT INTO bare_${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays})`,
    names.map((name) => rows.map((row) => row[name])),
  );
}
