import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Site {
  port: number;
  connections: number;
  /** `http://host:port/path`. Any host can be used if the name lookup of the test resolves it to loopback. */
  url(path?: string, host?: string): string;
}

/** A web site on loopback, until the test ends. */
export async function startSite(listener: RequestListener): Promise<Site> {
  const server = createServer(listener);
  server.on('connection', () => {
    site.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    port,
    connections: 0,
    url: (path = '/', host = 'site.example') => `http://${host}:${port}${path}`,
  };
  return site;
}
