import { Connection } from 'rabbitmq-client';
import { onTestFinished } from 'vitest';
import { type DemoBroker, startDemoBroker } from '../../src/demo/broker/start-demo-broker.js';

/** A broker of the test's own, which it may stop. */
export async function demoBroker(port = 0): Promise<DemoBroker> {
  const broker = await startDemoBroker({ port });
  onTestFinished(() => broker.stop());
  return broker;
}

export function clientOf({ url }: Pick<DemoBroker, 'url'>): Connection {
  const client = new Connection({ url, noDelay: true, retryLow: 50, retryHigh: 200 });
  // What closes a connection also fails the calls on it; they tell.
  client.on('error', () => undefined);
  onTestFinished(() => client.unsafeDestroy());
  return client;
}

/** A client of a broker that is its test's own. */
export const newClient = async () => clientOf(await demoBroker());
