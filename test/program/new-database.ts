import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { administer, dropDatabase, withDatabase } from '../harness/administration.js';

/** Returns the address of an empty database without migrations, which is dropped when the test ends. */
export async function newDatabase(): Promise<string> {
  const server = inject('postgresUrl');
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  onTestFinished(() => dropDatabase(server, name));
  return withDatabase(server, name);
}
