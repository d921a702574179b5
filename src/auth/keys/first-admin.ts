import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { readAdminKey, writeAdminKey } from '../../platform/data-folder/data-folder.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database, type Db } from '../../platform/database/database.js';
import { SessionsStore } from '../sessions/sessions.store.js';
import { UsersStore } from '../users/users.store.js';
import { KeysStore } from './keys.store.js';

@Injectable()
export class FirstAdmin {
  constructor(
    private readonly database: Database,
    private readonly users: UsersStore,
    private readonly keys: KeysStore,
    private readonly sessions: SessionsStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Call this at every start. The file is written before the commit, so a stored key is never unknown. */
  async ensure(): Promise<void> {
    const { adminKey, dataDir } = this.config;
    await this.database.transaction(async (db) => {
      await db.execute(sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.firstAdmin})`);
      const userId = (await this.keys.firstAdmin(db))?.id ?? (await this.adminUser(db));
      if (adminKey) await this.keys.takeConfigured(adminKey, userId, db);
      else await this.keys.retireConfigured(db);

      if (await this.keyIsKept(db)) return;
      const made = (await this.keys.firstAdmin(db)) ? undefined : await this.makeKey(userId, db);
      const key = adminKey ?? made;
      if (key) await writeAdminKey(dataDir, key);
    });
  }

  async keyIsKept(db: Db = this.database.db): Promise<boolean> {
    const stored = await readAdminKey(this.config.dataDir);
    return stored !== undefined && (await this.keys.findUsable(stored, db))?.scope === 'admin';
  }

  /** Returns a path that signs in the first person who opens it as admin, once, within 15 minutes. */
  async signInLink(): Promise<string> {
    const admin = await this.keys.firstAdmin();
    if (!admin) throw new Error('there is no admin key yet: ensure() comes first');
    const { path } = await this.sessions.createLink(admin.keyId);
    return path;
  }

  private async adminUser(db: Db): Promise<string> {
    const user = await this.users.create({ name: 'admin' }, db);
    if (!user) throw new Error('the admin user was not stored');
    return user.id;
  }

  private async makeKey(userId: string, db: Db): Promise<string> {
    const { key } = await this.keys.create({ userId, scope: 'admin', name: 'first start' }, db);
    return key;
  }
}
