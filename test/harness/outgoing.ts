import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Config, parseConfig } from '../../src/platform/config.js';
import type { Database } from '../../src/platform/database/database.js';
import { Events } from '../../src/platform/events/events.js';
import { HostAnswers } from '../../src/platform/hosts/host-answers.js';
import { HostBackoffs } from '../../src/platform/hosts/host-backoffs.js';
import { HostGate } from '../../src/platform/hosts/host-gate.js';
import { HostLimits } from '../../src/platform/hosts/host-limits.js';
import { HostLimitsStore } from '../../src/platform/hosts/host-limits.store.js';
import { LearnedLimits } from '../../src/platform/hosts/learned-limits.js';
import { RequestSlots } from '../../src/platform/hosts/request-slots.js';
import type { NameLookup } from '../../src/platform/http/address-guard.js';
import { HttpClient } from '../../src/platform/http/http-client.js';
import { RequestMetrics } from '../../src/platform/http/request-metrics.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Clock } from '../../src/platform/time/clock.js';
import { Periodic } from '../../src/platform/time/periodic.js';

/** A name server that resolves every name to loopback. */
export const everyNameIsHere: NameLookup = async () => [{ address: '127.0.0.1', family: 4 }];

interface Choices {
  allowNetworks?: string[];
  allowPorts?: number[];
  hostConcurrency?: number;
  contactUrl?: string;
  lookup?: NameLookup;
  clock?: Clock;
  hostLimits?: Map<string, number>;
  roles?: Config['roles'];
  /** Components of a process that receives the events of others at once; without events it polls every second. */
  events?: Events;
}

/** The HTTP client of one process. By default every name resolves to loopback, which is allowed. */
export function outgoingClient(database: Database, choices: Choices = {}): HttpClient {
  return outgoingParts(database, choices).client;
}

/** The same client together with what it knows of hosts. */
export function outgoingParts(database: Database, choices: Choices = {}) {
  const { allowNetworks = ['127.0.0.1'], hostConcurrency = 2, contactUrl, lookup = everyNameIsHere } = choices;
  const log = pino({ level: 'silent' });
  const { events = new Events(database, log), clock = new Clock(), hostLimits = new Map() } = choices;
  const ours = parseConfig({});
  const config = {
    ...ours,
    allowNetworks,
    allowPorts: choices.allowPorts ?? [],
    hostConcurrency,
    contactUrl,
    hostLimits,
    roles: choices.roles ?? ours.roles,
  };
  const backoffs = new HostBackoffs(database, clock, events);
  const store = new HostLimitsStore(database, events);
  const limits = new HostLimits(config, store, new Periodic({ ...config, roles: new Set() }, log), events);
  const gate = new HostGate(config, backoffs, limits, new RequestSlots(database));
  const lessons = new LearnedLimits(limits, store, log);
  const answers = new HostAnswers(backoffs, lessons, log);
  const client = new HttpClient(config, gate, answers, lookup, new RequestMetrics(new Metrics(log)));
  onTestFinished(() => client.onApplicationShutdown());
  return { client, limits, store };
}
