import type { RateLimit } from '../../platform/config.js';
import type { Account } from '../accounts/accounts.table.js';
import type { PlatformCalls } from '../limits/platform-slots.store.js';
import type { Publication } from './publications.table.js';

export interface Waiting {
  waitingFor: string | null;
  waitsUntil: Date | null;
}

interface Circumstances {
  account: Pick<Account, 'closedUntil' | 'closedBecause'>;
  calls: PlatformCalls;
  now: Date;
}

/** Prefixes of stored reasons that a changed limit can end early. Queries find the publications by these words. */
export const WAITS_FOR = {
  capacity: 'capacity within the limit of',
  platform: 'the platform, which said:',
  host: 'its slot at a host:',
} as const;

const NOTHING: Waiting = { waitingFor: null, waitsUntil: null };

/** If there are several reasons, the one that lasts longest is returned. */
export function whyItWaits(publication: Publication, circumstances: Circumstances): Waiting {
  const { status, notBefore, waitingFor } = publication;
  if (status === 'scheduled') return untilHandedOver(publication, circumstances);
  if (status === 'queued') return { waitingFor: 'a worker', waitsUntil: null };
  if (status === 'unknown')
    return { waitingFor: 'a person to confirm whether it is on the platform', waitsUntil: null };
  if (status !== 'publishing') return NOTHING;
  if (notBefore && notBefore > circumstances.now) return { waitingFor, waitsUntil: notBefore };
  return { waitingFor: "the platform's answer", waitsUntil: null };
}

function untilHandedOver(publication: Publication, { account, calls, now }: Circumstances): Waiting {
  const { scheduledAt, notBefore, waitingFor, userId } = publication;
  const closedBy = account.closedBecause ? `${WAITS_FOR.platform} ${account.closedBecause}` : 'the platform';
  const capacity = untilCapacity(calls, userId, now);
  const reasons = [
    { waitingFor: 'its time', waitsUntil: scheduledAt },
    { waitingFor: waitingFor ?? 'another try', waitsUntil: notBefore },
    { waitingFor: closedBy, waitsUntil: account.closedUntil },
    ...(capacity ? [capacity] : []),
  ];
  const [longest] = reasons
    .filter(({ waitsUntil }) => waitsUntil !== null && waitsUntil > now)
    .toSorted((a, b) => Number(b.waitsUntil) - Number(a.waitsUntil));
  return longest ?? capacity ?? { waitingFor: 'a worker', waitsUntil: null };
}

function untilCapacity(calls: PlatformCalls, userId: string, now: Date): Waiting | undefined {
  const { now: places, nextInMs } = calls.capacityFor(userId);
  if (places > 0) return undefined;
  const waitsUntil = nextInMs === undefined ? null : new Date(now.getTime() + nextInMs);
  return { waitingFor: waitsForCapacity(calls), waitsUntil };
}

export function waitsForCapacity({ platformCapacity, limits }: PlatformCalls): string {
  const isOfAll = platformCapacity.now < 1;
  const limit = isOfAll ? limits.platform : limits.user;
  return `${WAITS_FOR.capacity} ${limit ? describeLimit(limit) : ''} for ${isOfAll ? 'all together' : 'each user'}`;
}

function describeLimit({ most, windowMs }: RateLimit): string {
  const [unit, ms] = UNITS.find(([, size]) => windowMs % size === 0) ?? (['ms', 1] as const);
  return `${most} in ${windowMs / ms} ${unit}`;
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
