export const MOMENTS = [
  'due and not claimed',
  'claimed and not sent',
  'between two steps',
  'sent and not answered',
  'answered and not committed',
  'committed and not acknowledged',
  'refreshing credentials',
] as const;
export type Moment = (typeof MOMENTS)[number];

interface TestHooks {
  /** Jobs need not pass ids, because the job itself identifies its publication. */
  reach(moment: Moment, publicationIds?: string[]): Promise<void>;
  /** For this long (ms) after a call, a platform may not show the post, unless the platform names another time. */
  settlesInMs: number;
}

/** Test programs replace these before they start Millrace, to end their process at a moment or to lose no time. */
export const testHooks: TestHooks = {
  reach: async () => undefined,
  settlesInMs: 10_000,
};
