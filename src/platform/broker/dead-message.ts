import { z } from 'zod';
import { type CauseOfDeath, causeOfDeath } from './cause-of-death.js';
import { KeptBody, keepBody } from './kept-body.js';
import { carried, KeptHeaders, keptHeaders } from './message-properties.js';
import type { RawMessage } from './raw-bodies.js';

/** An unusable message as its dead letter stores it. */
export const DeadMessage = z.object({
  /** The exchange and key of the first publication, if they are known. */
  exchange: z.string(),
  routingKey: z.string(),
  ...KeptBody.shape,
  headers: KeptHeaders,
  contentType: z.string().optional(),
  contentEncoding: z.string().optional(),
  messageId: z.string().optional(),
  correlationId: z.string().optional(),
});
export type DeadMessage = z.infer<typeof DeadMessage>;

/** Never fails, whatever the message contains. */
export function toDeadMessage(message: RawMessage): { dead: DeadMessage; cause: CauseOfDeath } {
  const cause = causeOfDeath(message.headers);
  const dead = {
    exchange: cause.exchange ?? message.exchange,
    routingKey: cause.routingKey ?? message.routingKey,
    ...keepBody(message.body),
    headers: keptHeaders(message.headers),
    ...carried(message),
  };
  return { dead, cause };
}
