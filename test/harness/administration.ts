import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';

/** Creates a database with every migration, of which each test file gets a copy. Returns its name. */
export async function makeTemplateDatabase(postgresUrl: string): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(postgresUrl, `CREATE DATABASE ${name}`);
  await migrate(withDatabase(postgresUrl, name));
  return name;
}

export function dropDatabase(postgresUrl: string, name: string): Promise<void> {
  return administer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

export async function administer(postgresUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.toString();
}
