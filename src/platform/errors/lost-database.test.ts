import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';

const ERROR = 50;
const db = testDatabase();

/** A connection to the database that can be cut and restored. */
async function cuttableWay() {
  const target = new URL(db.url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(db.url), { host: `127.0.0.1:${port}` });
  return {
    url: url.href,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    repair: () => once(server.listen(port, '127.0.0.1'), 'listening'),
  };
}

it('answers that it is not ready, not that it is broken, while the database is away', async () => {
  const way = await cuttableWay();
  const api = await startApi({ databaseUrl: way.url, config: { roles: new Set(['api']) } });
  onTestFinished(async () => {
    await api.stop();
    way.cut();
  });
  const me = () => api.send({ url: '/api/v1/users/me', key: api.adminKey });
  expect((await me()).statusCode).toBe(200);
  way.cut();
  const response = await me();
  expect(response.statusCode).toBe(503);
  expect(response.json().code).toBe('not_ready');
  expect(response.body).not.toContain('ECONN');
  expect(api.lines.find(({ event }) => event === 'postgresql_connection_lost')).toMatchObject({ level: ERROR });
  expect(api.lines.filter(({ event }) => event === 'request_failed')).toEqual([]);
  await way.repair();
  expect((await me()).statusCode).toBe(200);
});
