import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { ask } from './api-client.js';
import { ROOT, startMillrace } from './millrace-process.js';
import { newDatabase } from './new-database.js';

vi.setConfig({ testTimeout: 60_000 });

interface Frame {
  name: string;
  file: string;
  line: number;
}

const FRAME = /^\s+at (?:async )?(?:(.+) \()?(?:file:\/\/)?(\/[^)]+):(\d+):\d+\)?$/;

function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((text) => {
    const [, name = '', file = '', line] = FRAME.exec(text) ?? [];
    return file ? [{ name, file, line: Number(line) }] : [];
  });
}

/** The source line that a frame names. */
const sourceOf = ({ file, line }: Frame) => readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';

it('names the lines of the sources in the stacks of the bundled program, also those of packages', async () => {
  const url = await newDatabase();
  const millrace = startMillrace({
    DATABASE_URL: url,
    MILLRACE_DATA_DIR: newDataFolder(),
    PORT: '0',
  });
  const address = await millrace.address();
  const key = await millrace.adminKey();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER TABLE sources RENAME TO sources_elsewhere');
  await client.end();

  expect((await ask(`${address}/api/v1/sources`, { key })).status).toBe(500);

  const stack = JSON.parse(await millrace.printed(/^(\{.*"request_failed".*\})$/m)).err.stack;
  const lines = framesOf(stack).map((frame) => ({ ...frame, source: sourceOf(frame) }));
  expect(lines).toContainEqual(
    expect.objectContaining({
      file: join(ROOT, 'src/following/sources.controller.ts'),
      source: expect.stringContaining('await this.views.list('),
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      file: join(ROOT, 'node_modules/pg-pool/index.js'),
      source: expect.stringContaining('Error.captureStackTrace(err)'),
    }),
  );
});
