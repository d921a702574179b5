import { createHash } from 'node:crypto';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';

const dialect = new PgDialect({ casing: 'snake_case' });

export class PreparedQuery<Row extends pg.QueryResultRow> {
  private readonly name: string;
  private readonly text: string;
  private readonly parameters: unknown[];

  constructor(query: SQL) {
    const { sql, params } = dialect.sqlToQuery(query);
    this.text = sql;
    this.parameters = params;
    this.name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
  }

  async run(pool: Pick<pg.Pool, 'query'>, values: Record<string, unknown>): Promise<Row[]> {
    const { name, text } = this;
    const { rows } = await pool.query<Row>({ name, text, values: fillPlaceholders(this.parameters, values) });
    return rows;
  }
}
