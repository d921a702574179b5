import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import type { AlertNotice } from './alert-webhook.js';
import { alertNotices } from './alerts.table.js';

/** Longer than one attempt takes. If a process dies meanwhile, another takes the notice after this time. */
export const NOTICE_LEASE_MS = 30_000;
const FORGOTTEN_AFTER = sql`interval '2 days'`;
const BATCH_SIZE = 20;

const milliseconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;

interface NewNotice {
  key: string;
  body: AlertNotice;
}

export interface TakenNotice {
  id: string;
  body: AlertNotice;
  attempts: number;
  ageMs: number;
}

@Injectable()
export class AlertNoticesStore {
  constructor(private readonly database: Database) {}

  /** Takes some due notices, each the oldest of its alert, which only the caller may send. */
  async take(): Promise<TakenNotice[]> {
    const { rows } = await this.database.db.execute<{ [Field in keyof TakenNotice]: TakenNotice[Field] }>(sql`
      UPDATE ${alertNotices} SET attempts = attempts + 1, next_try_at = now() + ${milliseconds(NOTICE_LEASE_MS)} WHERE id IN (
        SELECT id FROM ${alertNotices} AS due WHERE next_try_at <= now()
          AND NOT EXISTS (SELECT FROM ${alertNotices} AS earlier WHERE earlier.key = due.key AND earlier.id < due.id)
        ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
      ) RETURNING id, body, attempts, 1000 * extract(epoch FROM now() - created_at)::float8 AS "ageMs"`);
    return rows;
  }

  async tryAgain(id: string, afterMs: number): Promise<void> {
    await this.database.db.execute(sql`
      UPDATE ${alertNotices} SET next_try_at = now() + ${milliseconds(afterMs)} WHERE id = ${id}`);
  }

  async remove(id: string): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${alertNotices} WHERE id = ${id}`);
  }

  async forget(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${alertNotices} WHERE created_at < now() - ${FORGOTTEN_AFTER}`);
  }
}

export async function addNotices(db: Db, notices: NewNotice[]): Promise<void> {
  if (notices.length) await db.insert(alertNotices).values(notices);
}
