import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Lease, takeLease, tryToMake, waitForLease } from './leases.js';
import { type RabbitmqPlace, startRabbitmq, VIRTUAL_HOSTS } from './servers/rabbitmq-server.js';

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

/** The first of the test processes to come starts the server; the others wait for what becomes of it. */
async function startOnce(place: RabbitmqPlace): Promise<void> {
  const outcome = join(place.folder, 'outcome');
  if (tryToMake(place.folder)) {
    const failure = await startRabbitmq(place).then(
      () => '',
      (error: Error) => error.message,
    );
    writeFileSync(outcome, failure);
  }
  while (!existsSync(outcome)) await sleep(100);
  const failure = readFileSync(outcome, 'utf8');
  if (failure) throw new Error(`RabbitMQ did not start: ${failure}`);
}
