import type { Envelope } from 'rabbitmq-client';
import { z } from 'zod';

const HeaderValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
export const KeptHeaders = z.record(z.string(), HeaderValue);
export type KeptHeaders = z.infer<typeof KeptHeaders>;

/** Maximum number of characters in all headers together, because they travel in one frame. */
const MAX_HEADERS = 10_000;
/** Headers about the last delivery, and headers that would send copies to other queues. */
const DELIVERY_HEADER = /^(x-(first-|last-)?death(-|$)|x-delivery-count|x-millrace-|cc$|bcc$)/i;

/** Headers may contain anything. Only those are stored that can be sent again with the same meaning. */
export function keptHeaders(headers: Record<string, unknown> = {}): KeptHeaders {
  const kept: [string, string | number | boolean][] = [];
  let capacity = MAX_HEADERS;
  for (const [name, value] of Object.entries(headers)) {
    const parsed = HeaderValue.safeParse(value);
    if (!parsed.success || DELIVERY_HEADER.test(name)) continue;
    capacity -= name.length + String(parsed.data).length;
    if (capacity >= 0) kept.push([name, parsed.data]);
  }
  return Object.fromEntries(kept);
}

const CARRIED = ['contentType', 'contentEncoding', 'messageId', 'correlationId'] as const;
type CarriedProperties = { [property in (typeof CARRIED)[number]]?: string | undefined };

/** The expiration is not carried on, nor the user and reply address, which only their owners may send. */
export function carried(message: CarriedProperties): Pick<Envelope, keyof CarriedProperties> {
  return Object.fromEntries(CARRIED.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])));
}
