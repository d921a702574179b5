import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { instagramSite } from './instagram-site.js';
import { PROFILES, type Temper } from './profiles.js';

export interface FakeInstagram {
  readonly url: string;
  readonly profiles: { username: string; fullName: string; temper: Temper | undefined }[];
  stop(): Promise<void>;
}

/** A made-up Instagram on loopback, whose profiles keep posting. Its content depends on the seed and the time only. */
export async function startFakeInstagram({ seed, now }: { seed: number; now: () => Date }): Promise<FakeInstagram> {
  const age = { seed, startedAt: now() };
  let base = '';
  const server = createServer((request, response) => {
    const reply = instagramSite(new URL(request.url ?? '/', base), { age, now: now(), base });
    const { status = 200, type = 'text/html; charset=utf-8', headers, body } = reply;
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    profiles: PROFILES.map(({ slug, fullName, temper }) => ({ username: slug, fullName, temper })),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
