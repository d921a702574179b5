import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { users } from '../../src/auth/users/users.table.js';
import type { Database } from '../../src/platform/database/database.js';
import { Events } from '../../src/platform/events/events.js';
import { Clock } from '../../src/platform/time/clock.js';
import { HtmlSanitiser } from '../../src/posts/html-sanitiser.js';
import type { FoundPost } from '../../src/posts/post.js';
import { PostsStore } from '../../src/posts/posts.store.js';
import { ReadingChanges } from '../../src/posts/reading/reading-changes.js';
import { SearchIndex } from '../../src/posts/search-index.js';
import { follows } from '../../src/sources/follows.table.js';
import { sources } from '../../src/sources/sources.table.js';

const silent = pino({ level: 'silent' });
let made = 0;

/** A post as a source might send it. */
export function foundPost(externalId: string, change: Partial<FoundPost> = {}): FoundPost {
  return {
    externalId,
    content: `<p>${externalId}</p>`,
    author: { username: 'ann', displayName: 'Ann' },
    media: [],
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    ...change,
  };
}

/** The store of posts, with rows to test it. */
export function postsOn(database: Database) {
  const sanitiser = new HtmlSanitiser(silent);
  const events = new Events(database, silent);
  const store = new PostsStore(database, events, sanitiser, new Clock());
  return {
    store,
    events,
    changes: new ReadingChanges(events),
    sanitiser,
    async newSource(): Promise<string> {
      const externalId = `https://example.org/${++made}`;
      const [row] = await database.db.insert(sources).values({ type: 'rss', externalId, title: 'Example' }).returning();
      return row?.id ?? '';
    },
    async newUser(): Promise<string> {
      const [row] = await database.db
        .insert(users)
        .values({ externalId: `user ${++made}` })
        .returning();
      return row?.id ?? '';
    },
    async follow(userId: string, sourceId: string): Promise<void> {
      await database.db.insert(follows).values({ userId, sourceId });
    },
    async save(sourceId: string, found: FoundPost[], now = new Date()) {
      const prepared = await store.prepare(sourceId, found, now);
      const saved = await database.transaction((db) => store.save(db, prepared));
      return { added: saved.added, changed: saved.changed.length, unchanged: saved.unchanged.length };
    },
    /** Stores the words of new posts at once, which the program does within seconds. */
    index: () => new SearchIndex(database, undefined as never).run(),
    async sourceRow(sourceId: string) {
      const { rows } = await database.db.execute<{ at: Date | null; id: string | null; revision: number }>(
        sql`SELECT last_post_at AS at, last_post_id AS id, revision FROM sources WHERE id = ${sourceId}`,
      );
      return rows[0];
    },
    /** The expected values of the source's row, computed from the posts themselves. */
    async expectedRow(sourceId: string) {
      const { rows } = await database.db.execute<{ at: Date | null; id: string | null }>(
        sql`SELECT max(published_at) AS at, max(id) AS id FROM posts WHERE source_id = ${sourceId} AND removed_at IS NULL`,
      );
      return rows[0];
    },
  };
}
