import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { Clock } from '../../src/platform/clock.js';
import type { Database } from '../../src/platform/database/database.js';
import type { NameLookup } from '../../src/platform/http/address-guard.js';
import { HostBackoffs } from '../../src/platform/http/host-backoffs.js';
import { HttpClient } from '../../src/platform/http/http-client.js';
import { RequestMetrics } from '../../src/platform/http/request-metrics.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';

/** A name server that leads every name to loopback. */
export const everyNameIsHere: NameLookup = async () => [{ address: '127.0.0.1', family: 4 }];

interface Choices {
  allowNetworks?: string[];
  hostConcurrency?: number;
  contactUrl?: string;
  lookup?: NameLookup;
  clock?: Clock;
}

/** The client of one process. Without choices every name leads to loopback, which is allowed. */
export function outgoingClient(database: Database, choices: Choices = {}): HttpClient {
  const { allowNetworks = ['127.0.0.1'], hostConcurrency = 2, contactUrl, lookup = everyNameIsHere } = choices;
  const backoffs = new HostBackoffs(database, choices.clock ?? new Clock());
  const metrics = new RequestMetrics(new Metrics(pino({ level: 'silent' })));
  const client = new HttpClient({ allowNetworks, hostConcurrency, contactUrl }, backoffs, lookup, metrics);
  onTestFinished(() => client.onApplicationShutdown());
  return client;
}
