import { sql } from 'drizzle-orm';
import { users } from '../../src/auth/users/users.table.js';
import type { Database } from '../../src/platform/database/database.js';
import { accounts } from '../../src/publishing/accounts/accounts.table.js';
import { encrypt } from '../../src/publishing/accounts/encryption.js';
import { loadSecretKeys } from '../../src/publishing/accounts/secret-keys.js';
import { ownerOf } from '../../src/publishing/accounts/secrets.js';
import { publications } from '../../src/publishing/publications/publications.table.js';
import type { PlatformWorld, WorldPlatform } from './platform-world.js';

/** `MILLRACE_SECRET_KEYS` of every process that reads the accounts. */
export const SECRET_KEY = 'a-secret-key-of-these-tests-and-nothing-else';

const ROWS_BATCH_SIZE = 1_000;

export interface Author {
  name: string;
  userId: string;
  accountIds: Map<WorldPlatform, string>;
}

export interface SeededPost {
  author: Author;
  platform: WorldPlatform;
  /** Begins with the name of its author and is unique. */
  text: string;
  inSteps?: boolean;
  priority?: number;
  scheduledAt?: Date;
}

/** Creates users with an account on each platform, stored as the API stores them. */
export async function seedAuthors(
  database: Database,
  world: PlatformWorld,
  { names, platforms }: { names: string[]; platforms: readonly WorldPlatform[] },
): Promise<Author[]> {
  const keys = await loadSecretKeys({ secretKeys: [SECRET_KEY], dataDir: '' });
  const stored = await database.db
    .insert(users)
    .values(names.map((name) => ({ externalId: name })))
    .returning();
  const rows = stored.flatMap(({ id: userId, externalId }) =>
    platforms.map((platform) => {
      const credentials = encrypt(world.join(platform, externalId ?? ''), keys, ownerOf({ userId, platform }));
      return { userId, platform, name: `${externalId} on ${platform}`, credentials };
    }),
  );
  const made = await database.db.insert(accounts).values(rows).returning();
  return stored.map(({ id, externalId }) => {
    const own = made.filter(({ userId }) => userId === id);
    const accountIds = new Map(own.map((account) => [account.platform as WorldPlatform, account.id]));
    return { name: externalId ?? '', userId: id, accountIds };
  });
}

export async function seedPublications(database: Database, world: PlatformWorld, posts: SeededPost[]): Promise<void> {
  const now = new Date();
  const rows = posts.map(({ author, platform, text, inSteps = false, priority = 1, scheduledAt = now }) => ({
    userId: author.userId,
    accountId: author.accountIds.get(platform) ?? '',
    platform,
    priority,
    scheduledAt,
    content: world.content(platform, text, { inSteps }),
    jobState: 'idle' as const,
  }));
  for (let from = 0; from < rows.length; from += ROWS_BATCH_SIZE)
    await database.db.insert(publications).values(rows.slice(from, from + ROWS_BATCH_SIZE));
  await database.db.execute(sql`ANALYZE ${publications}`);
}
