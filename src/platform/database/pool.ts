import pg from 'pg';

/**
 * A pool that outlives its server. A connection that breaks between two queries tells so by an event,
 * which would end the process if nobody heard it; the next query gets the error or a new connection.
 */
export function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...options });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
