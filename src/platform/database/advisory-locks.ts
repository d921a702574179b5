/** Keys of all PostgreSQL advisory locks, in one place so that none is used twice. */
export const ADVISORY_LOCKS = {
  migration: 7_246_311,
  firstAdmin: 7_246_312,
  recount: 7_246_313,
  /** The second key is the name of a platform. */
  platformSlots: 7_246_314,
  /** The second key is a hash of a user and an idempotency key. */
  idempotencyKeys: 7_246_315,
  /** The high bits of a lock whose low 40 bits are an id of a post. Migration 0020 takes it. */
  postIds: 7_246_316,
} as const;
