import { Redis } from 'ioredis';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.js';
import { redactAddress } from '../redact.js';

const TIMEOUT_MS = 4_000;
/** Earlier versions lack features that the queue needs. */
const MIN_POSTGRESQL = 13;

export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    const major = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (major < MIN_POSTGRESQL) throw new Error(`it is PostgreSQL ${major}, ${MIN_POSTGRESQL} or newer is needed`);
  } catch (error) {
    throw new StartupError(`DATABASE_URL: cannot use the database at ${redactAddress(url)}: ${connectionError(error)}`);
  } finally {
    await client.end();
  }
}

export async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    // The check would wait forever where the ping times out.
    enableReadyCheck: false,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
  });
  const failed = new Promise<never>((_, reject) => redis.once('error', reject));
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), failed]);
  } catch (error) {
    throw new StartupError(`REDIS_URL: cannot use Redis at ${redactAddress(url)}: ${connectionError(error)}`);
  } finally {
    redis.disconnect();
  }
}

function connectionError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(connectionError).join('; ');
  return error instanceof Error ? error.message : String(error);
}
