import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventSource } from '../feeds/event-source.js';
import { newDataFolder } from '../harness/data-folder.js';
import { startMillrace } from './millrace-process.js';
import { newDatabase } from './new-database.js';
import { TaskRows } from './task-rows.js';

vi.setConfig({ testTimeout: 60_000 });

const KEY = 'an-admin-key-for-this-drain-only';
const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };
/** What a second signal must be apart from the first, and a little more. */
const ANOTHER_SIGNAL_MS = 1_200;

async function startDraining(drainMs: number) {
  const databaseUrl = await newDatabase();
  const millrace = startMillrace(
    {
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA_DIR: newDataFolder(),
      MILLRACE_ADMIN_KEY: KEY,
      PORT: '0',
      MILLRACE_DRAIN_MS: `${drainMs}`,
      MILLRACE_SWEEP_MS: '100',
    },
    'millrace-with-tasks',
  );
  const address = await millrace.address();
  const rows = new TaskRows(databaseUrl);
  onTestFinished(() => rows.close());
  await rows.create();
  return { millrace, address, rows };
}

/** Over connections that are kept, as load balancers keep theirs. */
function keptConnections(address: string) {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return async (path: string) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${address}${path}`, { agent, headers }).once('response', resolve).once('error', reject).end();
    });
    return { status: response.statusCode, connection: response.headers.connection, body: await text(response) };
  };
}

it('answers for a while after SIGTERM, but is not ready, takes no new work and sends clients elsewhere', async () => {
  const { millrace, address, rows } = await startDraining(5_000);
  const get = keptConnections(address);
  const [running = ''] = await rows.store(['sleep 1000']);
  await vi.waitFor(async () => expect(await rows.runners(running)).toEqual([millrace.pid]), WAIT_OPTIONS);
  const stream = await EventSource.open(`${address}/api/v1/health/stream`, { authorization: `Bearer ${KEY}` });
  expect(await get('/health/ready')).toMatchObject({ status: 200, connection: 'keep-alive' });

  millrace.send('SIGTERM');
  await vi.waitFor(async () => expect((await get('/health/ready')).status).toBe(503), WAIT_OPTIONS);
  expect((await get('/health/ready')).body).toContain('process is stopping');
  expect(await get('/health/live')).toMatchObject({ status: 200 });
  expect(await get('/api/v1/users')).toMatchObject({ status: 200, connection: 'close' });
  const [tooLate = ''] = await rows.store(['ok']);
  await vi.waitFor(async () => expect(await rows.effects(running)).toEqual([millrace.pid]), WAIT_OPTIONS);
  expect(await get('/api/v1/users')).toMatchObject({ status: 200 });
  const again = await EventSource.open(`${address}/api/v1/health/stream`, { authorization: `Bearer ${KEY}` });
  expect([stream.ended, again.ended]).toEqual([false, false]);

  expect(await millrace.ended).toEqual({ code: 0, signal: null });
  await vi.waitFor(() => expect([stream.ended, again.ended]).toEqual([true, true]), WAIT_OPTIONS);
  expect(await rows.states([running, tooLate])).toEqual(['done', 'waiting']);
});

it('ends at once for who tells it a second time', async () => {
  const { millrace } = await startDraining(600_000);
  millrace.send('SIGTERM');
  await millrace.printed(/stopping/);
  await sleep(ANOTHER_SIGNAL_MS);
  expect(await millrace.end('SIGTERM')).toEqual({ code: 1, signal: null });
});
