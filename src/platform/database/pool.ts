import pg from 'pg';

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

interface PoolOptions extends Omit<pg.PoolConfig, 'connectionString' | 'options'> {
  connectionString: string;
  /** Settings of every session, such as `-c synchronous_commit=off`. */
  session?: string;
}

/** A connection that breaks between two queries emits an event, which would end the process without a listener. */
export function createPool({ connectionString, session, ...options }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...options,
    connectionString: session ? withSession(connectionString, session) : connectionString,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The driver would let the `options` of the URL replace ours. */
function withSession(connectionString: string, session: string): string {
  const url = new URL(connectionString);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given ? `${given} ${session}` : session);
  return url.href;
}
