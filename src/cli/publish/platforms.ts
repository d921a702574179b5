import { z } from 'zod';
import type { Column } from '../show/table.js';
import { fromNow, howLong } from '../show/times.js';

const Limit = z.object({ most: z.number(), windowSeconds: z.number() }).nullable();

/** A platform, as far as it is shown. */
export const Platform = z.object({
  name: z.string(),
  limits: z.object({ platform: Limit, user: Limit }),
  remaining: z.object({ platform: z.number().nullable(), user: z.number().nullable() }),
  roomAt: z.string().nullable(),
  due: z.object({ all: z.number(), yours: z.number() }),
});
type Platform = z.infer<typeof Platform>;

const capacity = (remaining: number | null, limit: z.infer<typeof Limit>) =>
  limit && remaining !== null ? `${remaining} of ${limit.most} in ${howLong(limit.windowSeconds)}` : 'no limit';

export const PLATFORM_COLUMNS: Column<Platform>[] = [
  { title: 'PLATFORM', show: ({ name }) => name },
  { title: 'LEFT FOR ALL', show: ({ remaining, limits }) => capacity(remaining.platform, limits.platform) },
  { title: 'LEFT FOR YOU', show: ({ remaining, limits }) => capacity(remaining.user, limits.user) },
  { title: 'ROOM', show: ({ roomAt }) => fromNow(roomAt) },
  { title: 'DUE', show: ({ due }) => due.all, align: 'right' },
  { title: 'OF THEM YOURS', show: ({ due }) => due.yours, align: 'right' },
];
