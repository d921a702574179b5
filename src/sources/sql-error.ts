/** Drizzle wraps what the driver threw. */
const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === code) || (error.cause !== undefined && hasCode(error.cause, code)));

/** PostgreSQL chose this transaction to end a circle of waiting ones. */
export const isDeadlock = (error: unknown) => hasCode(error, '40P01');
/** A row was held by somebody else for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown) => hasCode(error, '55P03');
export const isTaken = (error: unknown) => hasCode(error, '23505');
