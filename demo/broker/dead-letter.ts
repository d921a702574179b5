import type { FieldTable, FieldValue } from './fields.js';
import type { Message } from './message.js';
import type { Death } from './message-queue.js';

interface Ended {
  queue: string;
  reason: Death;
  now: Date;
}

/** The message with the story of its death, the last time first, as RabbitMQ tells it. It does not expire again. */
export function deadLetter(message: Message, { queue, reason, now }: Ended): Message {
  const { expiration, headers = {}, ...properties } = message.properties;
  const deaths = deathsOf(headers);
  const isSame = (death: FieldTable) => death.queue === queue && death.reason === reason;
  const before = deaths.find(isSame);
  const death: FieldTable = before
    ? { ...before, count: Number(before.count) + 1 }
    : {
        ...{ count: 1, reason, queue, time: now, exchange: message.exchange, 'routing-keys': [message.routingKey] },
        ...(reason === 'expired' && expiration !== undefined && { 'original-expiration': expiration }),
      };
  const first = {
    'x-first-death-reason': reason,
    'x-first-death-queue': queue,
    'x-first-death-exchange': message.exchange,
  };
  const story = { 'x-death': [death, ...deaths.filter((other) => !isSame(other))] };
  return { ...message, properties: { ...properties, headers: { ...first, ...headers, ...story } } };
}

/** Whether it was in a queue before and would come there again and again, for nobody has rejected it since. */
export function goesInCircles({ properties }: Message, queue: string): boolean {
  const deaths = deathsOf(properties.headers ?? {});
  return deaths.some((death) => death.queue === queue) && deaths.every((death) => death.reason !== 'rejected');
}

/** Senders may write anything there. */
function deathsOf(headers: FieldTable): FieldTable[] {
  const deaths = headers['x-death'];
  return Array.isArray(deaths) ? deaths.filter(isTable) : [];
}

const isTable = (value: FieldValue): value is FieldTable =>
  typeof value === 'object' && value !== null && 'queue' in value && 'reason' in value;
