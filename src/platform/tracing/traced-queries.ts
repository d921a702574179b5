import type pg from 'pg';
import { describeStatement } from './describe-statement.js';
import { isRecorded, traced } from './traced.js';

type Query = (...args: unknown[]) => unknown;

/** From now on each statement of the pool and of its connections is a step of the trace that it is sent in. */
export function traceQueries(pool: pg.Pool): void {
  pool.query = recording(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.on('connect', (client) => {
    client.query = recording(client.query.bind(client) as Query) as typeof client.query;
  });
}

/**
 * Statements for which a promise is returned. What the pool asks of a connection for itself has a callback and is left alone:
 * it is recorded at the pool, where the wait for a free connection counts, and where it is still known who asked.
 */
function recording(query: Query): Query {
  return (...args) => {
    const text = textOf(args[0]);
    const hasCallback = args.some((argument) => typeof argument === 'function');
    if (text === undefined || hasCallback || !isRecorded()) return query(...args);
    return traced(describeStatement(text), () => query(...args) as Promise<unknown>);
  };
}

function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  const { text, submit } = (statement ?? {}) as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : undefined;
}
