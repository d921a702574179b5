import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { ACCOUNT_STATUSES, type Account } from './accounts.table.js';
import { SlotRulesView, toSlotRulesView } from './slot-rules.js';

const time = z.iso.datetime().nullable();

/** An account as its user sees it: without its credentials, which never leave. */
export const AccountView = z.strictObject({
  id: Id,
  platform: z.string(),
  name: z.string(),
  /** `broken`: the platform does not take its credentials, or they cannot be read. */
  status: z.enum(ACCOUNT_STATUSES),
  lastError: z.string().nullable(),
  /** Who it is on the platform, as the platform says; null if it was never asked. */
  platformId: z.string().nullable(),
  platformName: z.string().nullable(),
  checkedAt: time,
  /** Until then the platform wants none of its posts, and why. */
  closedUntil: time,
  closedBecause: z.string().nullable(),
  slots: SlotRulesView.nullable(),
  createdAt: z.iso.datetime(),
});
export type AccountView = z.infer<typeof AccountView>;

const KEY_IS_MISSING = 'its credentials were encrypted with a key that is not among MILLRACE_SECRET_KEYS';

export function toAccountView(account: Account, { isReadable, now }: { isReadable: boolean; now: Date }): AccountView {
  const { id, platform, name, platformId, platformName, checkedAt, slots, createdAt } = account;
  const isClosed = account.closedUntil !== null && account.closedUntil > now;
  return {
    ...{ id, platform, name },
    status: isReadable ? account.status : 'broken',
    lastError: isReadable ? account.lastError : KEY_IS_MISSING,
    ...{ platformId, platformName, checkedAt: checkedAt?.toISOString() ?? null },
    closedUntil: (isClosed && account.closedUntil?.toISOString()) || null,
    closedBecause: isClosed ? account.closedBecause : null,
    slots: slots && toSlotRulesView(slots),
    createdAt: createdAt.toISOString(),
  };
}
