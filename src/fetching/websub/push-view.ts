import { z } from 'zod';
import type { Subscription } from './subscriptions.table.js';

/** Whether and how a hub pushes a source's news. */
export const PushView = z.strictObject({
  state: z.enum(['asked', 'verified', 'missed', 'refused', 'ending']),
  hub: z.string(),
  leaseUntil: z.iso.datetime().nullable(),
  lastPushAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
});

export function toPushView({ state, hubUrl, leaseUntil, lastPushAt, lastError }: Subscription) {
  return { state, hub: hubUrl, leaseUntil, lastPushAt, lastError };
}
