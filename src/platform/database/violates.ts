import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because of that unique index. */
export function violates(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
}
