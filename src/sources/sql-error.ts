const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === code) || (error.cause !== undefined && hasCode(error.cause, code)));

export const isDeadlock = (error: unknown) => hasCode(error, '40P01');
export const isLockTimeout = (error: unknown) => hasCode(error, '55P03');
export const isTaken = (error: unknown) => hasCode(error, '23505');
