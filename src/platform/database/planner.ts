import { between, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

// Conditions that are written in an unusual way because PostgreSQL would choose a slow plan for the usual one. The test
// of this file shows the plan of each statement with and without it.

/**
 * A text column whose statistics the planner does not use. Statistics are usually taken while few rows have the value
 * looked for, so with the plain column the planner would read the partial index of that value, even for rows that are
 * looked up by id. That index is large exactly when it matters.
 */
export const unestimated = (column: SQL) => sql`${column} || ''`;

/** Add this beside a join by id, for which the planner would read the whole table if there are some hundred ids. */
export const isAmong = (ids: SQLWrapper) => sql`id = ANY(${ids}::bigint[])`;

/**
 * Equality, for use with an order by this column and the id. The planner drops a column that equals a constant from the
 * order. If nearly all rows had this value when statistics were taken, it then reads the primary key from its beginning,
 * and passes all rows that were done long ago.
 */
export const isExactly = (column: SQLWrapper, value: string) => between(column, value, value);

/**
 * An array parameter as text. The driver takes twice as long for a JavaScript array, because it quotes and escapes every
 * element; that is 6 ms for eight arrays of 5,000 numbers. The values must not need escaping.
 */
export const arrayLiteral = (values: (string | number | null)[]) =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
