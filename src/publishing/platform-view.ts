import { z } from 'zod';
import type { RateLimit } from '../platform/config.js';
import type { Limits } from './limits/limits.js';
import type { PlatformCalls } from './limits/platform-slots.store.js';
import type { Room } from './limits/room.js';
import type { Platform } from './platform.js';

const LimitView = z.strictObject({ most: z.int(), windowSeconds: z.number() }).nullable();

/** Null: any number. */
const places = z.int().nullable();

/** A platform as somebody who wants to publish there sees it. */
export const PlatformView = z.strictObject({
  name: z.string(),
  label: z.string(),
  accepts: z.strictObject({
    text: z.strictObject({ most: places, unit: z.enum(['characters', 'bytes']) }),
    /** Null: there is no title. */
    title: z.strictObject({ most: z.int(), required: z.boolean() }).nullable(),
    media: z.strictObject({
      least: z.int(),
      most: places,
      /** Null: any file. */
      kinds: z.array(z.enum(['image', 'video', 'audio'])).nullable(),
    }),
  }),
  /** Posts within any time of that length, for all together and for each user; null: any number. */
  limits: z.strictObject({ platform: LimitView, user: LimitView }),
  /** Posts that may go out now: of all together, and of the caller's, for whom both limits hold. */
  remaining: z.strictObject({ platform: places, user: places }),
  /** When the caller's next may, if none may now; null if one may, or if that depends on posts that are under way. */
  roomAt: z.iso.datetime().nullable(),
  /** Publications at once, in the process that answers; null if it publishes none. */
  poolSize: z.int().nullable(),
  /** Publications whose time has come and that are not out. */
  due: z.strictObject({ all: z.int(), yours: z.int() }),
});
export type PlatformView = z.infer<typeof PlatformView>;

export interface Standing {
  limits: Limits;
  calls: PlatformCalls;
  userId: string;
  poolSize: number | null;
  due: { all: number; yours: number };
  now: Date;
}

export function toPlatformView({ name, label, accepts }: Platform, standing: Standing): PlatformView {
  const { limits, calls, userId, poolSize, due, now } = standing;
  const { text, title, media } = accepts;
  const room = calls.roomFor(userId);
  return {
    ...{ name, label },
    accepts: { text, title: title ? { most: title.most, required: title.isNeeded } : null, media },
    limits: { platform: toLimitView(limits.platform), user: toLimitView(limits.user) },
    remaining: { platform: placesIn(calls.roomOfPlatform), user: placesIn(room) },
    roomAt: room.nextInMs === undefined ? null : new Date(now.getTime() + room.nextInMs).toISOString(),
    ...{ poolSize, due },
  };
}

const toLimitView = (limit: RateLimit | undefined) =>
  limit ? { most: limit.most, windowSeconds: limit.windowMs / 1_000 } : null;

const placesIn = ({ now }: Room) => (Number.isFinite(now) ? now : null);
