import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateServer } from './private-server.js';

/** How a server shows that it is ready: the request that it gets, and the beginning of its answer. */
export interface Greeting {
  readonly port: number;
  readonly say: string;
  readonly hear: string;
}

const TIMEOUT_MS = 100_000;

/** Returns the same server with a `start` that waits for its answer. */
export function readyServer(server: PrivateServer, greeting: Greeting): PrivateServer {
  return {
    ...server,
    async start() {
      const deadline = Date.now() + TIMEOUT_MS;
      await server.start();
      while (!(await answers(greeting))) {
        if (!(await server.isRunning())) throw new Error(`a server ended as it started:\n${await server.lastWords()}`);
        if (Date.now() > deadline) throw new Error(`a server does not get ready:\n${await server.lastWords()}`);
        await sleep(50);
      }
    },
  };
}

/** An open port is not enough: Docker opens it before the server inside listens. */
async function answers({ port, say, hear }: Greeting): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 2000 });
  socket.on('timeout', () => socket.destroy());
  socket.write(say);
  try {
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return Buffer.isBuffer(data) && data.toString('latin1').startsWith(hear);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
