import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openEventStream } from './event-stream.js';

it('is closed at once for a client that left while it was being opened', async () => {
  const server = fastify();
  onTestFinished(() => server.close());
  const closed = new Promise<void>((resolve) => {
    server.get('/', async (request, reply) => {
      await once(request.raw.socket, 'close');
      openEventStream({ request, reply })?.onClose(resolve);
    });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n'));
  await once(server.server, 'request');
  client.destroy();
  await closed;
  expect(client.destroyed).toBe(true);
});
