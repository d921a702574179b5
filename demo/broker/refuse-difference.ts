import { AmqpFault } from './amqp-fault.js';
import type { FieldTable, FieldValue } from './fields.js';

/** What exists is never changed by declaring it otherwise. RabbitMQ's words, which clients read. */
export function refuseDifference(what: string, { wanted, current }: { wanted: FieldTable; current: FieldTable }): void {
  const names = new Set([...Object.keys(wanted), ...Object.keys(current)]);
  const different = [...names].find((name) => wanted[name] !== current[name]);
  if (different === undefined) return;
  const told = `received ${quoted(wanted[different])} but current is ${quoted(current[different])}`;
  throw new AmqpFault('PRECONDITION_FAILED', `inequivalent arg '${different}' for ${what}: ${told}`);
}

const quoted = (value: FieldValue | undefined) => (value === undefined ? 'none' : `'${value}'`);
