const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === code) || (error.cause !== undefined && hasCode(error.cause, code)));

/** PostgreSQL cancelled this transaction to end a deadlock. */
export const isDeadlock = (error: unknown) => hasCode(error, '40P01');
/** Another transaction held a row for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown) => hasCode(error, '55P03');
export const isTaken = (error: unknown) => hasCode(error, '23505');
