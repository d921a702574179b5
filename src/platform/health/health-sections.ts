import { z } from 'zod';

const seconds = z.number().nullable();

/** What features say of themselves in the health of the whole, each in a section of its own. */
export const HealthSections = z.strictObject({
  fetching: z.strictObject({
    sources: z.int(),
    /** Followed by somebody active, not gone and not failing: fetched as planned. */
    active: z.int(),
    failing: z.int(),
    /** Followed by nobody active. */
    paused: z.int(),
    gone: z.int(),
    /** Due for longer than is set, and for longer than their own interval. */
    stale: z.int(),
    /** From publication to discovery, of the posts found in the last hour; null if there were none. */
    medianDelaySeconds: seconds,
    p95DelaySeconds: seconds,
  }),
  freshness: z.strictObject({
    /** From publication to discovery, of the posts found in the last 24 hours; null if there were none. */
    medianDelaySeconds: seconds,
    p95DelaySeconds: seconds,
    /** Of the last 24 hours: sources that were asked, and how many of them had nothing new. */
    fetches: z.int(),
    emptyFetches: z.int(),
    /** How many more there would have been, had each active follower asked for themselves. */
    savedFetches: z.int(),
    /** Of the last hour, on schedule: first fetches, those that somebody asked for and attempts before the last do not count. */
    fetchesPerHour: z.int(),
    /** How many schedules may make in an hour, and what a fetch must be worth so that they do; null where nothing limits them. */
    budgetPerHour: z.int().nullable(),
    price: z.number().nullable(),
  }),
  publishing: z.strictObject({
    /** Their time has come, and they are not out. */
    due: z.int(),
    /** How long the oldest of them has been due. */
    oldestDueSeconds: z.int().nullable(),
    publishedLastHour: z.int(),
    failedLastHour: z.int(),
    /** Published, of all that came to an end within the last hour, from 0 to 1; null if there were none. */
    successRate: z.number().nullable(),
  }),
});
export type HealthSections = z.infer<typeof HealthSections>;

export const AlertSeverity = z.enum(['warning', 'critical']);

/** Something is not as it should be; how long it has been so is found out by who asks. */
export interface FoundAlert {
  code: string;
  /** What tells several of the same code apart, such as a queue. */
  subject?: string;
  severity: z.infer<typeof AlertSeverity>;
  /** A sentence that says what is wrong and what to do. */
  message: string;
  /** A path of this server where there is more to see. */
  link: string | null;
}

/** The posts found in one minute, and how long they had been out. */
export const DelayMinute = z.strictObject({
  at: z.iso.datetime(),
  posts: z.int(),
  medianSeconds: seconds,
  p95Seconds: seconds,
});
export type DelayMinute = z.infer<typeof DelayMinute>;
