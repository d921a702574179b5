/** Keys of all PostgreSQL advisory locks, in one place so that none is used twice. */
export const ADVISORY_LOCKS = {
  migration: 7_246_311,
  firstAdmin: 7_246_312,
  recount: 7_246_313,
  /** The second key is the name of a platform. */
  platformSlots: 7_246_314,
  /** The second key is a hash of a user and an idempotency key. */
  idempotencyKeys: 7_246_315,
} as const;
