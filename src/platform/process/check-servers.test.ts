import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { checkDatabase, checkRedis } from './check-servers.js';

const database = testDatabase();
const CLOSED = '127.0.0.1:2';

/** A server that accepts connections and never answers. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `127.0.0.1:${address.port}`;
}

it('reports a Redis that refuses connections, without its password', async () => {
  await expect(checkRedis(`redis://:hunter2@${CLOSED}`)).rejects.toThrow(
    `REDIS_URL: cannot use Redis at redis://***@${CLOSED}: connect ECONNREFUSED ${CLOSED}`,
  );
});

it('does not wait for a Redis that never answers', async () => {
  const host = await silentServer();
  await expect(checkRedis(`redis://${host}`)).rejects.toThrow(
    `REDIS_URL: cannot use Redis at redis://${host}: Command timed out`,
  );
});

it('reports a database that refuses connections, without its password', async () => {
  await expect(checkDatabase(`postgres://me:hunter2@${CLOSED}/x`)).rejects.toThrow(
    `DATABASE_URL: cannot use the database at postgres://***@${CLOSED}/x: connect ECONNREFUSED ${CLOSED}`,
  );
});

it('does not wait for a database that never answers', async () => {
  const url = `postgres://${await silentServer()}/x`;
  await expect(checkDatabase(url)).rejects.toThrow(`DATABASE_URL: cannot use the database at ${url}: timeout expired`);
});

it('reports that the database refuses the password, without showing it', async () => {
  const url = new URL(database.url);
  url.password = 'hunter2';
  const check = checkDatabase(url.href);
  await expect(check).rejects.toThrow(`DATABASE_URL: cannot use the database at postgres://***@${url.host}/`);
  await expect(check).rejects.toThrow('password authentication failed');
  await check.catch((error: Error) => expect(error.message).not.toContain('hunter2'));
});
