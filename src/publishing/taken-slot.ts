import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether something failed because another publication was quicker to take a slot. */
export function isTakenSlot(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return (
    cause instanceof pg.DatabaseError && cause.code === UNIQUE_VIOLATION && cause.constraint === 'publications_slot'
  );
}
