import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because of that unique index. */
export function violates(error: unknown, index: string): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === UNIQUE_VIOLATION && cause.constraint === index;
}
