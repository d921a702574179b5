import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { removeDataFolder } from '../harness/data-folder.js';
import { testDatabase } from '../harness/database.js';
import { ask } from '../program/api-client.js';
import { type Environment, startMillrace } from '../program/millrace-process.js';

const KEY = 'an-admin-key-for-browser-tests';

export interface PageServer {
  readonly address: string;
  readonly key: string;
  /** A link that works once. */
  readonly signInLink: string;
  /** Sends requests beside the page, as an application would. */
  api<Answer>(path: string, body?: object): Promise<Answer>;
}

/**
 * Starts the program for this test file on a database of its own. Sources may be fetched every second.
 * `environment` is a function if it depends on what an earlier hook has started.
 */
export function pageServer(environment: Environment | (() => Environment) = {}): PageServer {
  const database = testDatabase();
  const dataDir = join(tmpdir(), `millrace-page-${randomUUID()}`);
  const ends: (() => Promise<void>)[] = [];
  let address = '';
  let signInLink = '';
  beforeAll(async () => {
    const program = startMillrace(
      {
        DATABASE_URL: database.url,
        MILLRACE_DATA_DIR: dataDir,
        PORT: '0',
        MILLRACE_ADMIN_KEY: KEY,
        MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
        MILLRACE_MIN_INTERVAL: '1s',
        MILLRACE_HOST_CONCURRENCY: '10',
        MILLRACE_REQUESTS_PER_MINUTE: '100000',
        MILLRACE_LOG_LEVEL: 'warn',
        ...(typeof environment === 'function' ? environment() : environment),
      },
      'millrace',
      { keep: (end) => ends.push(end) },
    );
    address = await program.address();
    const link = await ask(`${address}/api/v1/session/links`, { key: KEY, body: {} });
    signInLink = ((await link.json()) as { url: string }).url;
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await removeDataFolder(dataDir);
  });
  return {
    key: KEY,
    get address() {
      return address;
    },
    get signInLink() {
      return signInLink;
    },
    async api(path, body) {
      const answer = await ask(`${address}/api/v1${path}`, { key: KEY, ...(body && { body }) });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.json() as Promise<never>;
    },
  };
}
