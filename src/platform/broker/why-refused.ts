import { isRefusal } from './declare.js';

/** `inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received '600000' but current is '1000'`, and `received none …`. */
const REFUSAL = /inequivalent arg '([^']+)' for (queue|exchange) .*?: received (.+?) but current is (.+)$/;

/** Why RabbitMQ refuses to declare a queue or exchange, and what to do if it exists with other arguments. Other errors: undefined. */
export function whyRefused(error: unknown, name: string): string | undefined {
  if (!isRefusal(error)) return undefined;
  const { message } = error;
  const [, argument, kind, wanted, current] = REFUSAL.exec(message) ?? [];
  if (!argument) return `${name} cannot be declared at RabbitMQ: ${message}`;
  return (
    `the ${kind} ${name} exists with another ${argument}: it is ${unquoted(current)} and should be ${unquoted(wanted)}. ` +
    `Delete the ${kind}, after its messages were worked off, and it is made anew; or set Millrace to what is there`
  );
}

function unquoted(text = ''): string {
  const value = /'([^']*)'/.exec(text)?.[1];
  return value ?? (text.includes('none') ? 'not set' : text);
}
