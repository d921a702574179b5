import type { Envelope } from 'rabbitmq-client';
import { z } from 'zod';

const HeaderValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
export const KeptHeaders = z.record(z.string(), HeaderValue);
export type KeptHeaders = z.infer<typeof KeptHeaders>;

/** Characters of all together: they travel in one frame. */
const MAX_HEADERS = 10_000;
/** What RabbitMQ or Millrace wrote about the last journey, and what would send copies to other queues. */
const OF_A_JOURNEY = /^(x-(first-|last-)?death(-|$)|x-delivery-count|x-millrace-|cc$|bcc$)/i;

/** Headers may hold anything. Those are kept that can be sent again and mean the same then. */
export function keptHeaders(headers: Record<string, unknown> = {}): KeptHeaders {
  const kept: [string, string | number | boolean][] = [];
  let room = MAX_HEADERS;
  for (const [name, value] of Object.entries(headers)) {
    const parsed = HeaderValue.safeParse(value);
    if (!parsed.success || OF_A_JOURNEY.test(name)) continue;
    room -= name.length + String(parsed.data).length;
    if (room >= 0) kept.push([name, parsed.data]);
  }
  return Object.fromEntries(kept);
}

const CARRIED = ['contentType', 'contentEncoding', 'messageId', 'correlationId'] as const;
type Carried = { [property in (typeof CARRIED)[number]]?: string | undefined };

/**
 * The properties of a message that another may carry. Not its expiration, with which it would vanish; nor its user and its
 * way back, which RabbitMQ accepts from their owners only.
 */
export function carried(message: Carried): Pick<Envelope, keyof Carried> {
  return Object.fromEntries(CARRIED.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])));
}
