import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { migrate } from '../../src/platform/database/migrate.js';
import { endPostgres, killPostgres, signalPostgres, startPostgres } from './servers/postgres-server.js';

export interface OwnPostgres {
  /** Address of a database with every migration. */
  readonly url: string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Kills the server if it runs, and starts it on the same port and data. */
  restart(): Promise<void>;
  /** Sends SIGSTOP to all of its processes. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** Starts a PostgreSQL server for this test file, which may kill and restart it. */
export function ownPostgres(): OwnPostgres {
  const dataDir = join(inject('runFolder'), `own-postgres-${randomBytes(6).toString('hex')}`);
  let url: string | undefined;

  beforeAll(async () => {
    url = await startPostgres(dataDir);
    await migrate(url);
  });
  afterAll(() => endPostgres(dataDir));

  return {
    get url() {
      if (!url) throw new Error('ownPostgres() is ready only inside tests and hooks');
      return url;
    },
    kill: () => killPostgres(dataDir),
    freeze: () => signalPostgres(dataDir, 'SIGSTOP'),
    thaw: () => signalPostgres(dataDir, 'SIGCONT'),
    async restart() {
      await killPostgres(dataDir);
      url = await startPostgres(dataDir);
    },
  };
}
