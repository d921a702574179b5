import { mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../test/harness/database.js';
import { parseConfig } from './platform/config.js';
import { defineJob } from './platform/jobs/job-catalogue.js';
import { startMillrace } from './start-millrace.js';

const db = testDatabase();

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-start-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

interface Start {
  adminKey?: string;
  /** Whether the output is a terminal, as when a person starts it. */
  onTerminal?: boolean;
}

async function printedAtStart(dataDir: string, { adminKey, onTerminal = false }: Start = {}): Promise<string> {
  const config = { ...parseConfig({ PORT: '0', MILLRACE_ROLES: 'api' }), databaseUrl: db.url, dataDir, adminKey };
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const wasTerminal = process.stdout.isTTY;
  process.stdout.isTTY = onTerminal;
  try {
    const millrace = await startMillrace({ config, log: pino({ level: 'silent' }), features: [] });
    await millrace.stop();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
    process.stdout.isTTY = wasTerminal;
  }
}

it('says where the admin key is kept only if it is there and works', async () => {
  const dataDir = await newDataDir();
  const file = join(dataDir, 'admin-key');
  expect(await printedAtStart(dataDir)).toMatch(`Your admin key is in ${file}`);
  expect(await printedAtStart(dataDir)).toMatch(`Your admin key is in ${file}`);
  await unlink(file);
  expect(await printedAtStart(dataDir)).not.toContain('admin key');
  expect(await printedAtStart(dataDir, { adminKey: 'configured-key-number-one' })).toMatch(`is in ${file}`);
  expect(await printedAtStart(dataDir)).not.toContain('admin key');
});

it('prints a sign-in link on a terminal only, and the key nowhere', async () => {
  const dataDir = await newDataDir();
  const adminKey = 'configured-key-number-one';
  const stored = await printedAtStart(dataDir, { adminKey });
  const shown = await printedAtStart(dataDir, { adminKey, onTerminal: true });
  expect(stored).toContain('millrace sign-in');
  expect(stored).not.toContain('token=');
  expect(shown).toMatch(/One-time sign-in link \(valid for 15 minutes\): http\S+\/sign-in\?token=\S+\n/);
  for (const printed of [stored, shown]) expect(printed).not.toMatch(`${adminKey}|mr_`);
});

// This test is the last one, because the job stays in the catalogue.
it('refuses to start with a job that nobody runs', async () => {
  const backoff = { type: 'fixed', delay: 0 } as const;
  defineJob({ name: 'orphan', data: z.object({}), attempts: 1, backoff, concurrency: 1 });
  await expect(printedAtStart(await newDataDir())).rejects.toThrow('no worker handles: orphan');
});
