/** Numbers of PostgreSQL's advisory locks, together, so that no two things share one. */
export const ADVISORY_LOCKS = {
  migration: 7_246_311,
  firstAdmin: 7_246_312,
  recount: 7_246_313,
  /** With a platform's name as its second part. */
  platformSlots: 7_246_314,
  /** With the hash of a user and a key as its second part. */
  idempotencyKeys: 7_246_315,
} as const;
