import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Broker } from '../../platform/broker/broker.js';
import { Database } from '../../platform/database/database.js';
import { noteExhausted } from '../../platform/database/exhausted.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { withTimeout } from '../../platform/time/with-timeout.js';

const TIMEOUT_MS = 2_000;
/** A connection that was cut silently must not block the check forever. */
const PING = { text: 'SELECT 1', query_timeout: 5_000 };

export const Dependency = z.strictObject({
  name: z.enum(['postgres', 'redis', 'rabbitmq']),
  status: z.enum(['up', 'down']),
  detail: z.string().nullable(),
});
export type Dependency = z.infer<typeof Dependency>;

@Injectable()
export class Dependencies {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
  ) {}

  async check(timeoutMs = TIMEOUT_MS): Promise<Dependency[]> {
    const ask = (name: Dependency['name'], answer: Promise<unknown>) => statusOf(name, withTimeout(answer, timeoutMs));
    return Promise.all([
      ask('postgres', this.database.pool.query(PING)),
      ...(this.backend.kind === 'redis' ? [ask('redis', this.backend.ping())] : []),
      ...(this.broker.isConfigured ? [ask('rabbitmq', this.broker.ping())] : []),
    ]);
  }
}

async function statusOf(name: Dependency['name'], answer: Promise<unknown>): Promise<Dependency> {
  try {
    await answer;
    return { name, status: 'up', detail: null };
  } catch (error) {
    if (name === 'postgres') noteExhausted(error);
    return { name, status: 'down', detail: errorMessage(error) };
  }
}

function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorMessage).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

export function isDown(dependencies: Dependency[], name: Dependency['name']): boolean {
  return dependencies.some((dependency) => dependency.name === name && dependency.status === 'down');
}
