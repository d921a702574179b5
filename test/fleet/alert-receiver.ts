import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { AlertNotice } from '../../src/operations/alerts/alert-webhook.js';
import type { Environment } from '../program/millrace-process.js';

const SECRET = 'what-these-alerts-are-signed-with';

/** Receives alert notices. It accepts only signed ones, and each once. */
export class AlertReceiver {
  readonly notices: AlertNotice[] = [];
  readonly unsigned: string[] = [];
  private readonly keys = new Set<string>();
  private readonly server = createServer((request, response) => void this.receive(request, response));

  /** Runs until the test ends. */
  static async start(): Promise<AlertReceiver> {
    const receiver = new AlertReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      receiver.server.closeAllConnections();
      receiver.server.close();
    });
    return receiver;
  }

  get environment(): Environment {
    const { port } = this.server.address() as AddressInfo;
    return { MILLRACE_ALERT_WEBHOOK: `http://127.0.0.1:${port}/alerts`, MILLRACE_ALERT_SECRET: SECRET };
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (!isSigned(request, body)) {
      this.unsigned.push(body);
      response.writeHead(401).end();
      return;
    }
    const key = String(request.headers['idempotency-key']);
    if (!this.keys.has(key)) this.notices.push(JSON.parse(body));
    this.keys.add(key);
    response.writeHead(204).end();
  }
}

function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const right = createHmac('sha256', SECRET).update(`${headers['x-millrace-timestamp']}.${body}`).digest();
  const given = Buffer.from(String(headers['x-millrace-signature']).replace(/^sha256=/, ''), 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}
