import { z } from 'zod';

const seconds = z.number().nullable();

/** The sections of the health report that features fill in. */
export const HealthSections = z.strictObject({
  fetching: z.strictObject({
    sources: z.int(),
    /** Sources with active followers that are neither gone nor failing. */
    active: z.int(),
    failing: z.int(),
    /** Sources without active followers. */
    paused: z.int(),
    gone: z.int(),
    /** Sources that have been due for longer than configured and for longer than their own interval. */
    stale: z.int(),
    /** Delay from publication to discovery of the posts found in the last hour. Null if there were none. */
    medianDelaySeconds: seconds,
    p95DelaySeconds: seconds,
  }),
  freshness: z.strictObject({
    /** Delay from publication to discovery of the posts found in the last 24 hours. Null if there were none. */
    medianDelaySeconds: seconds,
    p95DelaySeconds: seconds,
    /** Fetches of the last 24 hours, and those of them that found nothing new. */
    fetches: z.int(),
    emptyFetches: z.int(),
    /** How many more fetches there would have been if each active follower had fetched separately. */
    savedFetches: z.int(),
    /**
     * Scheduled fetches of the last hour. First fetches, requested fetches and all but the last attempt do not count.
     */
    fetchesPerHour: z.int(),
    /**
     * How many fetches schedules may make in an hour, and the value that a fetch must have. Null if nothing limits
     * them.
     */
    budgetPerHour: z.int().nullable(),
    price: z.number().nullable(),
  }),
  publishing: z.strictObject({
    /** Publications that are due and not published yet. */
    due: z.int(),
    /** How long the oldest of them has been due. */
    oldestDueSeconds: z.int().nullable(),
    publishedLastHour: z.int(),
    failedLastHour: z.int(),
    /**
     * Share of publications that succeeded, of all that ended in the last hour, from 0 to 1. Null if there were none.
     */
    successRate: z.number().nullable(),
  }),
});
export type HealthSections = z.infer<typeof HealthSections>;

export const AlertSeverity = z.enum(['warning', 'critical']);

/** A current alert. The store adds since when it exists. */
export interface FoundAlert {
  code: string;
  /** Distinguishes several alerts of one code, such as a queue. */
  subject?: string;
  severity: z.infer<typeof AlertSeverity>;
  /** A sentence that says what is wrong and what to do. */
  message: string;
  /** A path of this server with more information. */
  link: string | null;
}

/** The posts found in one minute and their delay. */
export const DelayMinute = z.strictObject({
  at: z.iso.datetime(),
  posts: z.int(),
  medianSeconds: seconds,
  p95Seconds: seconds,
});
export type DelayMinute = z.infer<typeof DelayMinute>;
