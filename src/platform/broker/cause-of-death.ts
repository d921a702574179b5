import { z } from 'zod';
import { storableText } from '../jobs/storable.js';

export const REASON_HEADER = 'x-millrace-reason';
/** The queue from which Millrace itself moved the message. */
export const ORIGIN_HEADER = 'x-millrace-queue';
/** `x-delivery-count` of a message that Millrace moved, which RabbitMQ counts from 0 in the next queue. */
export const DELIVERIES_HEADER = 'x-millrace-delivery-count';
const MAX_REASON_LENGTH = 2_000;

/** The entries that RabbitMQ writes when it moves a message, most recent first. */
const Death = z.object({
  queue: z.string(),
  reason: z.string(),
  exchange: z.string().optional().catch(undefined),
  'routing-keys': z.array(z.string()).optional().catch(undefined),
});

const Count = z.int().min(1).optional().catch(undefined);

/** Senders may write anything into headers, so invalid values are ignored. */
const Headers = z.object({
  [REASON_HEADER]: z.string().min(1).optional().catch(undefined),
  [ORIGIN_HEADER]: z.string().min(1).max(255).optional().catch(undefined),
  [DELIVERIES_HEADER]: Count,
  'x-delivery-count': Count,
  'x-death': z.tuple([Death], z.unknown()).optional().catch(undefined),
});

export interface CauseOfDeath {
  reason: string;
  queue?: string;
  exchange?: string | undefined;
  routingKey?: string | undefined;
  /** How often it was delivered before without being acknowledged. Only quorum queues count that. */
  deliveryCount?: number | undefined;
}

export function causeOfDeath(headers: unknown): CauseOfDeath {
  const known = Headers.safeParse(headers).data;
  const { [REASON_HEADER]: given, [ORIGIN_HEADER]: origin, 'x-death': deaths } = known ?? {};
  const [death] = deaths ?? [];
  const reason = given ?? (death ? describeDeath(death) : 'it was put there without a reason');
  return {
    reason: shortened(reason),
    ...(death && { queue: death.queue, exchange: death.exchange, routingKey: death['routing-keys']?.[0] }),
    ...(origin && { queue: origin, routingKey: origin }),
    deliveryCount: known?.[DELIVERIES_HEADER] ?? known?.['x-delivery-count'],
  };
}

export const shortened = (reason: string) => storableText(reason.slice(0, MAX_REASON_LENGTH));

function describeDeath({ queue, reason }: z.infer<typeof Death>): string {
  switch (reason) {
    case 'expired':
      return `nobody took it from the queue ${queue} in time`;
    case 'rejected':
      return `a consumer of the queue ${queue} rejected it`;
    case 'maxlen':
      return `the queue ${queue} was full`;
    case 'delivery_limit':
      return `it was taken from the queue ${queue} too often without being acknowledged`;
    default:
      return `RabbitMQ took it from the queue ${queue}: ${reason}`;
  }
}
