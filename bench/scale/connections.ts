import type { Numbers } from './cost.js';
import { table, whole } from './table.js';

/** One process for each core that Millrace has. */
const FLEETS = [
  { name: 'one machine', scheduler: 1, api: 1, worker: 6 },
  { name: 'ten machines, eight of them for Millrace', scheduler: 2, api: 6, worker: 56 },
  { name: 'a hundred machines, 98 of them for Millrace', scheduler: 4, api: 80, worker: 700 },
];

/** Lists the connections to PostgreSQL when all processes are busy at once. */
export function connectionsTable(of: Numbers): string {
  const most = (role: string) => of(`connections Redis ${role}`);
  const one = of('connections PostgreSQL millrace');
  return table(
    ['setup', 'calculated as', 'connections'],
    [
      ['one process, queues on PostgreSQL', 'measured', String(one)],
      ...FLEETS.map(({ name, scheduler, api, worker }) => [
        name,
        `${scheduler} × ${most('scheduler')} + ${api} × ${most('api')} + ${worker} × ${most('worker')}`,
        whole(scheduler * most('scheduler') + api * most('api') + worker * most('worker')),
      ]),
    ],
  );
}
