// A team's own check: it runs the statements of a file and prints the rows of each as a line of JSON.
import { readFile } from 'node:fs/promises';
import pg from 'pg';

const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
const text = await readFile(process.argv[2], 'utf8');
for (const statement of text.split(';').filter((one) => one.trim())) {
  const { rows } = await client.query(statement);
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
await client.end();
