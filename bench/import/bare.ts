import pg from 'pg';

const BATCH = 1_000;
const TABLE = 'bare_posts';

/**
 * Measures rows per second for writing all stored posts with all columns into an empty table with the same indexes,
 * on one connection with one statement per batch. Reading them is not counted.
 */
export async function bareRowsPerSecond(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE TABLE ${TABLE} (LIKE posts INCLUDING ALL)`);
    const columns = await columnsOf(client);
    await client.query('CHECKPOINT');
    let rows = 0;
    let ms = 0;
    for (let batch = await read(client, columns, '0'); batch.length; ) {
      const start = performance.now();
      await write(client, columns, batch);
      ms += performance.now() - start;
      rows += batch.length;
      batch = await read(client, columns, batch.at(-1)?.id ?? '');
    }
    return rows / (ms / 1_000);
  } finally {
    await client.query(`DROP TABLE IF EXISTS ${TABLE}`);
    await client.end();
  }
}

interface Column {
  name: string;
  type: string;
}
type Row = Record<string, string | null> & { id: string };

async function columnsOf(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type
     FROM pg_attribute WHERE attrelid = 'posts'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return rows;
}

/** Values are read as text, which PostgreSQL parses again for every type. */
async function read(client: pg.Client, columns: Column[], after: string): Promise<Row[]> {
  const list = columns.map(({ name }) => `${name}::text AS ${name}`).join(', ');
  const { rows } = await client.query<Row>(
    `SELECT ${list} FROM posts WHERE posts.id > $1::bigint ORDER BY posts.id LIMIT ${BATCH}`,
    [after],
  );
  return rows;
}

async function write(client: pg.Client, columns: Column[], rows: Row[]): Promise<void> {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
  const names = columns.map(({ name }) => name);
  await client.query(
    `INSERT INTO ${TABLE} (${names.join(', ')}) SELECT * FROM unnest(${arrays})`,
    names.map((name) => rows.map((row) => row[name])),
  );
}
