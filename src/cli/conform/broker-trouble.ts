import { UsageError } from '../command.js';

const DEFAULT_PORTS: Record<string, string> = { 'amqp:': '5672', 'amqps:': '5671' };

/** Where RabbitMQ is, without who we are there. */
export function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname || 'localhost'}:${port || DEFAULT_PORTS[protocol]}`;
}

/** RabbitMQ's answers to a user, password or virtual host that it does not know. */
const REFUSALS = ['ACCESS_REFUSED', 'NOT_ALLOWED'];

export function cannotReach(url: string, cause: unknown): UsageError {
  const { code, message } = cause as { code?: string; message?: string };
  return REFUSALS.includes(String(code))
    ? new UsageError(`RabbitMQ at ${placeOf(url)} refuses the user, password or virtual host: ${inItsWords(message)}`)
    : new UsageError(`cannot reach RabbitMQ at ${placeOf(url)}, is it running? (${message || code})`);
}

/** Without the name of the protocol's method that the library puts first, or `undefined`. */
const inItsWords = (message = '') => message.replace(/^\w+: /, '');

export const lostConnection = (url: string) =>
  new UsageError(`the connection to RabbitMQ at ${placeOf(url)} was lost; nothing more can be said about the worker`);
