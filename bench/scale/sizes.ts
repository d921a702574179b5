import type { Fleet } from '../harness/fleet.js';
import { type Cost, cost } from './cost.js';

/** Measures the bytes of a row with its share of indexes and TOAST storage. */
export async function sizeCosts({ client }: Fleet): Promise<Cost[]> {
  const bytesOf = async (name: string, tables: string[]): Promise<Cost[]> => {
    const { rows } = await client.query<{ bytes: string; count: string }>(
      `SELECT sum(pg_total_relation_size(name::regclass)) AS bytes, (SELECT count(*) FROM ${tables[0]}) AS count
       FROM unnest($1::text[]) AS name`,
      [tables],
    );
    const { bytes, count } = rows[0] ?? { bytes: 0, count: 0 };
    const what = `database, for each ${name}`;
    return Number(count) ? [cost(`bytes ${name}`, Number(bytes) / Number(count), { what, unit: 'bytes' })] : [];
  };
  return [
    ...(await bytesOf('source', ['sources', 'fetch_states'])),
    ...(await bytesOf('follow', ['follows'])),
    ...(await bytesOf('post', ['posts'])),
    ...(await bytesOf('run', ['job_runs'])),
  ];
}

export type Connections = Record<string, number>;

/** Returns the current connections of each process; idle ones return theirs. */
export async function connectionsOf({ client, programs }: Fleet): Promise<Connections> {
  const { rows } = await client.query<{ name: string; count: number }>(
    'SELECT application_name AS name, count(*)::int FROM pg_stat_activity WHERE application_name = ANY($1) GROUP BY 1',
    [Object.keys(programs)],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

export function connectionCosts(as: string, seen: Connections[]): Cost[] {
  const names = [...new Set(seen.flatMap(Object.keys))].toSorted();
  return names.map((name) =>
    cost(`connections ${as} ${name}`, Math.max(...seen.map((one) => one[name] ?? 0)), {
      what: `connections to PostgreSQL, maximum of ${name}, queue on ${as}`,
      unit: '',
    }),
  );
}
