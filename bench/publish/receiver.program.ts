import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver that answers after a given delay and records when each post arrived. */
const takenAt = new Map<string, number>();
let delayMs = 0;
let awaited = Number.POSITIVE_INFINITY;

export interface Taken {
  /** The arrival time of each post in milliseconds since the epoch, in order of arrival. */
  times: number[];
  /** The number of posts that arrived more than once. */
  repeated: number;
}

export type Order = { delayMs: number; count: number };

let repeated = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const key = request.headers['idempotency-key'];
    if (typeof key === 'string') take(key);
    setTimeout(() => response.writeHead(204).end(), typeof key === 'string' ? delayMs : 0);
  });
});

function take(key: string): void {
  if (takenAt.has(key)) repeated += 1;
  else takenAt.set(key, Date.now());
  if (takenAt.size === awaited) process.send?.({ times: [...takenAt.values()], repeated } satisfies Taken);
}

/** Starts a new measurement, which is reported when the given number of posts has arrived. */
process.on('message', (order: Order) => {
  takenAt.clear();
  repeated = 0;
  delayMs = order.delayMs;
  awaited = order.count;
  process.send?.('ready');
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
