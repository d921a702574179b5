import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { AmqpFault } from './amqp-fault.js';
import { Connection } from './connection.js';
import { VirtualHost } from './virtual-host.js';

export interface DemoBroker {
  /** For `RABBITMQ_URL`. */
  readonly url: string;
  /** Everything that it holds is gone then. */
  stop(): Promise<void>;
}

/**
 * A broker that speaks AMQP 0-9-1 as RabbitMQ does, so that the demo needs nothing but Node.js. It holds everything in memory
 * and lets everybody in: it is for the demo alone, on loopback.
 */
export async function startDemoBroker({ host = '127.0.0.1', port = 0 } = {}): Promise<DemoBroker> {
  const hosts = new Map<string, VirtualHost>();
  const connections = new Set<Connection>();
  const hostNamed = (name: string) => {
    const virtualHost = hosts.get(name) ?? new VirtualHost(name);
    hosts.set(name, virtualHost);
    return virtualHost;
  };

  const server = createServer((socket) => {
    const connection = new Connection(socket, hostNamed);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: ours } = server.address() as AddressInfo;

  return {
    url: `amqp://guest:guest@${host}:${ours}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.end(new AmqpFault('CONNECTION_FORCED', 'the demo has ended'));
      await closed;
      for (const virtualHost of hosts.values()) virtualHost.close();
    },
  };
}
