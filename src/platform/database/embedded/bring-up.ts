import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterServer } from './cluster-server.js';
import { findFreePort, isFree } from './free-port.js';

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** Whether it was there before it was asked for. */
  readonly adopted: boolean;
}

const POLL_MS = 50;

/** Ends when a server of the cluster takes connections: the one that is there, or a new one. */
export async function bringUp(
  server: ClusterServer,
  wish: { port: number; portMayChange: boolean },
): Promise<RunningServer> {
  let adopted = true;
  for (;;) {
    const running = await server.running();
    if (running?.status === 'ready') return { pid: running.pid, port: running.port, adopted };
    if (running?.status === 'starting') await sleep(POLL_MS);
    // A server told to stop politely waits for its clients, which may never go.
    else if (running) await server.stop();
    else {
      const taken = wish.portMayChange && !(await isFree(wish.port));
      await server.start(taken ? await findFreePort() : wish.port);
      adopted = false;
    }
  }
}
