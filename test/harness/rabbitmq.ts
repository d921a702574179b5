import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { type Lease, takeLease, tryToMake, waitForLease } from './leases.js';
import type { PrivateServer } from './servers/private-server.js';
import { type RabbitmqPlace, rabbitmqServer, VIRTUAL_HOSTS } from './servers/rabbitmq-server.js';
import { isReady } from './servers/server-choice.js';

const START_MS = 120_000;

/**
 * A virtual host of this test file's own, ready inside tests and hooks.
 * A server that somebody gave is used as it is, by one test file after the other.
 */
export function rabbitmqUrl(): string {
  const { given, program, port } = inject('rabbitmq');
  const hosts = join(inject('runFolder'), 'rabbitmq-hosts');
  if (given) {
    takeTurns(hosts);
    return given;
  }
  const { name } = takeLease(hosts, VIRTUAL_HOSTS);
  beforeAll(() => startOnce({ program, port, folder: join(inject('runFolder'), 'rabbitmq') }), START_MS);
  return `amqp://guest:guest@127.0.0.1:${port}/${name}`;
}

function takeTurns(hosts: string): void {
  let lease: Lease | undefined;
  beforeAll(async () => {
    lease = await waitForLease(hosts, ['given']);
  }, START_MS);
  afterAll(() => lease?.release());
}

/** The first test process starts the server; the others wait for the result. */
async function startOnce(place: RabbitmqPlace): Promise<void> {
  const outcome = join(place.folder, 'outcome');
  if (tryToMake(place.folder)) {
    const starting = rabbitmqServer(place).then((server) => server.start());
    const failure = await starting.then(
      () => '',
      (error: Error) => error.message,
    );
    writeFileSync(outcome, failure);
  }
  while (!existsSync(outcome)) await sleep(100);
  const failure = readFileSync(outcome, 'utf8');
  if (failure) throw new Error(`RabbitMQ did not start: ${failure}`);
}

export interface OwnRabbitmq {
  readonly url: string;
  /** Address of the management API, without a user. */
  readonly managementUrl: string;
  /** Sends SIGKILL. Confirmed messages survive it. */
  kill(): Promise<void>;
  /** Starts it on the same port. */
  start(): Promise<void>;
  /** Sends SIGSTOP. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** Starts a broker for this test file, which may kill and restart it. */
export function ownRabbitmq({ withManagement = false } = {}): OwnRabbitmq {
  const { ownWay, program } = inject('rabbitmq');
  let port: number | undefined;
  let managementPort: number | undefined;
  let server: PrivateServer | undefined;

  if (!isReady(ownWay)) {
    beforeEach((context) => context.skip('needs a RabbitMQ server that it may kill'));
  } else {
    beforeAll(async () => {
      port = await findFreePort();
      if (withManagement) managementPort = await findFreePort();
      const folder = mkdtempSync(join(inject('runFolder'), 'own-rabbitmq-'));
      server = await rabbitmqServer({ program, folder, port, managementPort });
      await server.start();
    }, START_MS);
    afterAll(() => server?.kill());
  }

  const started = () => {
    if (!server) throw new Error('ownRabbitmq() is ready only inside tests and hooks');
    return server;
  };
  return {
    get url() {
      started();
      return `amqp://guest:guest@127.0.0.1:${port}/${VIRTUAL_HOSTS[0]}`;
    },
    get managementUrl() {
      started();
      if (!managementPort) throw new Error('this broker has no management API: ownRabbitmq({ withManagement: true })');
      return `http://127.0.0.1:${managementPort}/`;
    },
    kill: () => started().kill(),
    start: () => started().start(),
    freeze: () => started().freeze(),
    thaw: () => started().thaw(),
  };
}
