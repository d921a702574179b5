import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/platform/database/migrate.js';
import { withDatabase } from './database-url.js';

export async function setup(project: TestProject) {
  const postgresUrl = process.env.TEST_DATABASE_URL ?? '';
  const template = `template_${process.pid}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${template}`);
  await client.end();
  await migrate(withDatabase(postgresUrl, template));
  project.provide('postgresUrl', postgresUrl);
  project.provide('templateDatabase', template);
}
