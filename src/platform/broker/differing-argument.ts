/** `inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received '600000' but current is '1000'`, and `received none …`. */
const REFUSAL = /inequivalent arg '([^']+)' for (queue|exchange) .*?: received (.+?) but current is (.+)$/;

/** What RabbitMQ says of a queue or exchange that exists with other arguments, and what to do. Other errors: undefined. */
export function differingArgument(error: unknown, name: string): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'PRECONDITION_FAILED') return undefined;
  const [, argument, kind, wanted, current] = REFUSAL.exec(String(message)) ?? [];
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
