import type pg from 'pg';
import { isRecorded, type Step, traced } from './traced.js';

const VERB = /^\s*(\w+)/;
/** Does not match the UPDATE of `FOR UPDATE` and `DO UPDATE`. */
const WRITE = /\b(insert into|delete from|(?<!\b(?:for|key|do)\s+)update)\s+"?([a-z_]\w*)/i;
const TABLE = /\b(?:from|join)\s+"?([a-z_]\w*)"?(?![\w"]*\()/i;

type Query = (...args: unknown[]) => unknown;

export function traceQueries(pool: pg.Pool): void {
  pool.query = recording(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.on('connect', (client) => {
    client.query = recording(client.query.bind(client) as Query) as typeof client.query;
  });
}

/** The pool's own calls use a callback and are skipped: the pool records them, with the wait for a connection. */
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

/** Names the span after the operation and the table. The text contains no values, which are sent separately. */
export function describeStatement(text: string): Step {
  const { operation, table } = deed(text);
  return {
    name: table ? `${operation} ${table}` : operation,
    kind: 'CLIENT',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table && { 'db.collection.name': table }),
      'db.query.text': text.trim().replace(/\s+/g, ' '),
    },
  };
}

/** A statement that begins with WITH is named after its first write, or else SELECT. */
function deed(text: string): { operation: string; table: string | undefined } {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const [, write = '', written] = /^(WITH|INSERT|UPDATE|DELETE)$/.test(verb) ? (WRITE.exec(text) ?? []) : [];
  if (written) return { operation: write.split(/\s/)[0]?.toUpperCase() ?? verb, table: written };
  return { operation: verb === 'WITH' ? 'SELECT' : verb, table: TABLE.exec(text)?.[1] };
}
