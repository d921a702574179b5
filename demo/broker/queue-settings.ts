import { AmqpFault } from './amqp-fault.js';
import type { FieldTable, FieldValue } from './fields.js';

/** What the arguments of a queue ask for. */
export interface QueueSettings {
  ttlMs?: number;
  /** A queue that nobody has used for so long is deleted. */
  expiresMs?: number;
  maxLength?: number;
  deadLetterExchange?: string;
  deadLetterRoutingKey?: string;
}

type Check = (value: FieldValue) => boolean;
const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isText: Check = (value) => typeof value === 'string';

const CHECKS: Record<string, Check> = {
  'x-message-ttl': isCount,
  'x-expires': isCount,
  'x-max-length': isCount,
  'x-dead-letter-exchange': isText,
  'x-dead-letter-routing-key': isText,
  // Both are kept in memory here, alike.
  'x-queue-type': (value) => value === 'quorum' || value === 'classic',
  'x-overflow': (value) => value === 'drop-head',
};

/** What is asked for and not to be had is refused, for a queue that silently does less is worse than none. */
export function readQueueSettings(queue: string, given: FieldTable): QueueSettings {
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith('x-')) continue;
    const check = CHECKS[name];
    if (!check) throw new AmqpFault('NOT_IMPLEMENTED', `the demo's broker knows no ${name}`);
    if (!check(value))
      throw new AmqpFault('PRECONDITION_FAILED', `invalid arg '${name}' for queue '${queue}': ${value}`);
  }
  const settings: Record<keyof QueueSettings, FieldValue | undefined> = {
    ttlMs: given['x-message-ttl'],
    expiresMs: given['x-expires'],
    maxLength: given['x-max-length'],
    deadLetterExchange: given['x-dead-letter-exchange'],
    deadLetterRoutingKey: given['x-dead-letter-routing-key'],
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
