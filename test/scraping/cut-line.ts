import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that the test can cut (connections break, new ones work), close (new ones are refused, too) or hold (nothing passes). */
export async function lineTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isClosed = false;
  const server = createServer((near) => {
    if (isClosed) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = () => {
    isClosed = true;
    cut();
  };
  const open = () => {
    isClosed = false;
  };
  const hold = () => {
    for (const socket of sockets) socket.unpipe();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const here = new URL(url);
  here.port = String((server.address() as AddressInfo).port);
  return { url: here.href, cut, close, open, hold };
}
