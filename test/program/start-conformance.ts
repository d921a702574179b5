import { expect, it, vi } from 'vitest';
import { ask, becomesReady, statusOf } from './api-client.js';
import { type Environment, type MillraceProcess, startMillrace } from './millrace-process.js';
import { TaskRows } from './task-rows.js';

const WAIT_OPTIONS = { timeout: 30_000, interval: 100 };

/** Settings of a Millrace that has never run before. */
export interface NewHome {
  environment: Environment;
  /** It exists as soon as Millrace has started. */
  databaseUrl(): Promise<string>;
}

/** What a user sees of the first and the second start on any backend. */
export function startConformance(newHome: () => Promise<NewHome>) {
  it('lets the first user in, and knows everything again after a second start', { timeout: 60_000 }, async () => {
    const { environment } = await newHome();
    const first = startMillrace(environment);
    const address = await first.address();
    const adminKey = await first.adminKey();

    await becomesReady(address);
    await letsIn(address, adminKey);
    const userKey = await createUser(address, adminKey);
    expect(await statusOf(`${address}/api/v1/users/me`, { key: userKey })).toBe(200);
    expect(await statusOf(`${address}/api/v1/users`, { key: userKey })).toBe(403);
    await signsInOnce(first);
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });

    const second = startMillrace(environment);
    const addressAgain = await second.address();
    expect(await statusOf(`${addressAgain}/api/v1/users/me`, { key: userKey })).toBe(200);
    await letsIn(addressAgain, adminKey);
    expect(await second.printed(/Your admin key is in (\S+)/)).toBe(`${environment.MILLRACE_DATA_DIR}/admin-key`);
    for (const { stdout } of [first, second]) expect(stdout).not.toMatch(/mr_|token=/);
    await signsInOnce(second);
  });

  it('runs a task that was stored for it', { timeout: 60_000 }, async () => {
    const { environment, databaseUrl } = await newHome();
    const millrace = startMillrace({ ...environment, MILLRACE_SWEEP_MS: '200' }, 'millrace-with-tasks');
    await millrace.address();
    const rows = new TaskRows(await databaseUrl());
    await rows.create();
    const [id = ''] = await rows.store(['ok']);
    await vi.waitFor(async () => expect(await rows.states([id])).toEqual(['done']), WAIT_OPTIONS);
    expect(await rows.effects(id)).toEqual([millrace.pid]);
    await rows.close();
  });
}

async function letsIn(address: string, adminKey: string): Promise<void> {
  const users = `${address}/api/v1/users`;
  expect(await statusOf(users)).toBe(401);
  expect(await statusOf(users, { key: `${adminKey}x` })).toBe(401);
  expect(await statusOf(users, { key: adminKey })).toBe(200);
}

/** Returns the user's key. */
async function createUser(address: string, adminKey: string): Promise<string> {
  const user = await ask(`${address}/api/v1/users`, { key: adminKey, body: { name: 'Ada' } });
  expect(user.status).toBe(201);
  const { id } = (await user.json()) as { id: string };
  const made = await ask(`${address}/api/v1/keys`, { key: adminKey, body: { userId: id } });
  const { key } = (await made.json()) as { key: string };
  return key;
}

async function signsInOnce(millrace: MillraceProcess): Promise<void> {
  const made = await ask(`${await millrace.address()}/api/v1/session/links`, {
    key: await millrace.adminKey(),
    body: {},
  });
  const { url: link } = (await made.json()) as { url: string };
  const signedIn = await ask(link);
  expect(signedIn.status).toBe(303);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(await statusOf(`${await millrace.address()}/api/v1/users`, { cookie })).toBe(200);
  expect(await statusOf(link)).toBe(401);
}
