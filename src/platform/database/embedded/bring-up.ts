import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterServer } from './cluster-server.js';
import { findFreePort, isFree } from './free-port.js';

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly adopted: boolean;
}

const POLL_MS = 50;

export async function bringUp(
  server: ClusterServer,
  preferred: { port: number; portMayChange: boolean },
): Promise<RunningServer> {
  let adopted = true;
  for (;;) {
    const running = await server.running();
    if (running?.status === 'ready') return { pid: running.pid, port: running.port, adopted };
    if (running?.status === 'starting') await sleep(POLL_MS);
    // A server in smart shutdown waits for its clients, which may never disconnect.
    else if (running) await server.stop();
    else {
      const taken = preferred.portMayChange && !(await isFree(preferred.port));
      await server.start(taken ? await findFreePort() : preferred.port);
      adopted = false;
    }
  }
}
