import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../../../platform/database/database.js';
import { follows } from '../../../sources/follows.table.js';
import { siteIcons } from '../../../sources/site-icons.table.js';
import { sources } from '../../../sources/sources.table.js';

export interface ReaderIcon {
  id: string;
  mime: string;
  bytes: Buffer;
}

/** The icons of sources that a user follows. */
@Injectable()
export class ReaderIcons {
  constructor(private readonly database: Database) {}

  async find(userId: string, iconId: string): Promise<ReaderIcon | undefined> {
    return (await this.list(userId, iconId))[0];
  }

  async list(userId: string, iconId?: string): Promise<ReaderIcon[]> {
    const { rows } = await this.database.db.execute<ReaderIcon & Record<string, unknown>>(sql`
      SELECT id, mime, bytes FROM ${siteIcons}
      WHERE version IS NOT NULL AND (${iconId ?? null}::bigint IS NULL OR id = ${iconId ?? null}::bigint) AND site IN (
        SELECT s.icon_site FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id WHERE f.user_id = ${userId})
      ORDER BY id`);
    return rows;
  }
}

/** As Miniflux and Fever write them: a data URL without its scheme. */
export const iconData = ({ mime, bytes }: ReaderIcon) => `${mime};base64,${bytes.toString('base64')}`;
