import { between, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

// PostgreSQL would choose a slow plan for the usual form of these conditions. The test of this file shows both plans.

/** Hides the statistics: with them the planner reads a value's whole partial index even for rows looked up by id. */
export const unestimated = (column: SQL) => sql`${column} || ''`;

/** Add this beside a join by id, for which the planner would read the whole table if there are some hundred ids. */
export const isAmong = (ids: SQLWrapper) => sql`id = ANY(${ids}::bigint[])`;

/** For an order by this column and the id: with `=` the planner drops the column and may read all rows long done. */
export const isExactly = (column: SQLWrapper, value: string) => between(column, value, value);

/** The driver quotes and escapes every element of an array, which doubles the time. Values must not need escaping. */
export const arrayLiteral = (values: (string | number | null)[]) =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
