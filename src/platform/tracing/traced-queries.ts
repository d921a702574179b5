import type pg from 'pg';
import { describeStatement } from './describe-statement.js';
import { isRecorded, traced } from './traced.js';

type Query = (...args: unknown[]) => unknown;

/** Records each statement of the pool and of its connections as a step of the current trace. */
export function traceQueries(pool: pg.Pool): void {
  pool.query = recording(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.on('connect', (client) => {
    client.query = recording(client.query.bind(client) as Query) as typeof client.query;
  });
}

/**
 * Records statements that return a promise. The pool's own calls to a connection use a callback and are skipped: they
 * are recorded at the pool, where the wait for a free connection counts and the caller is still known.
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
