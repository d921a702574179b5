import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * Everybody else's server: it refuses whatever it is asked and repeats all of it, secrets included, in every shape that a
 * client might take an error from. The status is the number that its path begins with, else 400. Each loopback address is a
 * host of its own.
 */
export class CarelessSite {
  /** Everything that it has received, with credentials decoded. */
  received = '';
  private readonly server = createServer(async (request, response) => {
    const sent = await whole(request);
    this.received += sent;
    const [, status = '400'] = /^\/(\d{3})\b/.exec(request.url ?? '') ?? [];
    const words = `refused ${sent}`;
    const body = JSON.stringify({ message: words, error: { message: words, code: 190, type: words }, errors: [words] });
    response.writeHead(Number(status), { 'content-type': 'application/json' }).end(body);
  });

  static async start(): Promise<CarelessSite> {
    const site = new CarelessSite();
    await new Promise<void>((resolve) => site.server.listen(0, '0.0.0.0', resolve));
    onTestFinished(async () => {
      site.server.closeAllConnections();
      await new Promise((resolve) => site.server.close(resolve));
    });
    return site;
  }

  /** `userinfo` is `name:password`. */
  url(host: number, path: string, userinfo?: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://${userinfo ? `${userinfo}@` : ''}127.0.9.${host}:${port}${path}`;
  }
}

async function whole(request: IncomingMessage): Promise<string> {
  const { method, url, headers } = request;
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const decoded = Buffer.from(basic, 'base64').toString();
  const body = decodeURIComponent((await text(request)).replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  return `${method} ${url} ${JSON.stringify(headers)} ${decoded} ${body}\n`;
}
