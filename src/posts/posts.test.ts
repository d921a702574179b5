import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { FeedItem } from './feed-item.js';
import { PostsModule } from './posts.module.js';

describe('posts', () => {
  const db = testDatabase();
  let made: ReturnType<typeof postsOn>;
  let api: Api;
  beforeAll(async () => {
    made = postsOn(db.database);
    api = await startApi({ databaseUrl: db.url, modules: [PostsModule] });
  });
  afterAll(async () => {
    await api.stop();
    await made.sanitiser.onApplicationShutdown();
  });

  /** Creates a user who follows a source with one post. */
  async function reader() {
    const name = `reader-${randomUUID()}`;
    const as = (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) =>
      api.send({
        method,
        url: `/api/v1${path}`,
        key: api.adminKey,
        headers: { 'x-millrace-user': name },
        ...(payload && { payload }),
      });
    await as('GET', '/posts/1');
    const { rows } = await db.database.pool.query('SELECT id FROM users WHERE external_id = $1', [name]);
    const userId: string = rows[0].id;
    const sourceId = await made.newSource();
    const author = { username: 'ann', displayName: 'Ann', avatarUrl: 'https://e.org/ann.png' };
    const media = [{ url: 'https://e.org/a.mp3', type: 'audio/mpeg' }];
    const { added } = await made.save(sourceId, [
      foundPost('a', {
        title: 'A',
        url: 'https://e.org/a',
        author,
        media,
        metrics: { likes: 3 },
        content: '<b onclick=x>a</b>',
      }),
    ]);
    await made.follow(userId, sourceId);
    return { as, userId, sourceId, postId: added[0] ?? '' };
  }
  const waiting = async () => {
    const { rows } = await db.database.pool.query(`SELECT count(*)::int AS sessions FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rows[0].sessions;
  };
  const unfollow = (userId: string) => db.database.pool.query('DELETE FROM follows WHERE user_id = $1', [userId]);

  it('shows a post as its reader sees it', async () => {
    const { as, sourceId, postId } = await reader();
    const item = (await as('GET', `/posts/${postId}`)).json();
    expect(FeedItem.parse(item)).toEqual({
      id: postId,
      sourceId,
      source: { id: sourceId, type: 'rss', title: 'Example' },
      externalId: 'a',
      title: 'A',
      url: 'https://e.org/a',
      content: '<b>a</b>',
      publishedAt: '2026-01-01T00:00:00.000Z',
      author: { username: 'ann', displayName: 'Ann', avatarUrl: 'https://e.org/ann.png' },
      mediaUrls: ['https://e.org/a.mp3'],
      media: [{ url: 'https://e.org/a.mp3', type: 'audio/mpeg' }],
      metrics: { likes: 3 },
      read: false,
      starred: false,
    });
  });

  it("calls a source by the reader's own name for it", async () => {
    const { as, userId, postId } = await reader();
    await db.database.pool.query("UPDATE follows SET title = 'Mine' WHERE user_id = $1", [userId]);
    expect((await as('GET', `/posts/${postId}`)).json().source.title).toBe('Mine');
  });

  it.each(['read', 'star'] as const)('marks a post (%s) and takes that back, in either way', async (path) => {
    const { as, postId } = await reader();
    const name = path === 'read' ? 'read' : 'starred';
    const state = async () => (await as('GET', `/posts/${postId}`)).json()[name];
    const expectState = async (answer: ReturnType<typeof as>, value: boolean) => {
      const { statusCode, json } = await answer;
      expect([statusCode, json()]).toEqual([200, { id: postId, read: false, starred: false, [name]: value }]);
      expect(await state()).toBe(value);
    };
    await expectState(as('PUT', `/posts/${postId}/${path}`), true);
    await expectState(as('PUT', `/posts/${postId}/${path}`), true);
    await expectState(as('DELETE', `/posts/${postId}/${path}`), false);
    await expectState(as('PUT', `/posts/${postId}/${path}`, { [name]: true }), true);
    await expectState(as('PUT', `/posts/${postId}/${path}`, { [name]: false }), false);
    await expectState(as('PUT', `/posts/${postId}/${path}`, {}), true);
  });

  it('keeps marks apart, by kind and by user', async () => {
    const [one, other] = [await reader(), await reader()];
    await made.follow(other.userId, one.sourceId);
    await one.as('PUT', `/posts/${one.postId}/star`);
    expect((await one.as('PUT', `/posts/${one.postId}/read`)).json()).toMatchObject({ read: true, starred: true });
    expect((await other.as('GET', `/posts/${one.postId}`)).json()).toMatchObject({ read: false, starred: false });
  });

  it('lets a mark on a single post win over what was read all at once', async () => {
    const { as, userId, postId } = await reader();
    await db.database.pool.query('UPDATE follows SET read_up_to = $2 WHERE user_id = $1', [userId, postId]);
    expect((await as('GET', `/posts/${postId}`)).json().read).toBe(true);
    expect((await as('PUT', `/posts/${postId}/star`)).json()).toMatchObject({ read: true, starred: true });
    expect((await as('DELETE', `/posts/${postId}/read`)).json().read).toBe(false);
    expect((await as('GET', `/posts/${postId}`)).json().read).toBe(false);
  });

  it('hides posts of sources that the user does not follow, except those they have starred', async () => {
    const { as, userId, postId } = await reader();
    const stranger = await reader();
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', '/read'],
      ['DELETE', '/star'],
    ] as const) {
      const answer = await stranger.as(method, `/posts/${postId}${path}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    }
    await as('PUT', `/posts/${postId}/star`);
    await unfollow(userId);
    expect((await as('GET', `/posts/${postId}`)).json().starred).toBe(true);
    expect((await as('PUT', `/posts/${postId}/read`)).statusCode).toBe(200);
    expect((await as('DELETE', `/posts/${postId}/star`)).json().starred).toBe(false);
    expect((await as('GET', `/posts/${postId}`)).statusCode).toBe(404);
    expect((await as('PUT', `/posts/${postId}/read`)).statusCode).toBe(404);
    expect((await as('PUT', `/posts/${postId}/star`)).statusCode).toBe(404);
  });

  it.each(['read', 'star'] as const)('finds no post to mark (%s) that is taken away at that moment', async (path) => {
    const { as, postId } = await reader();
    let marking: ReturnType<typeof as> | undefined;
    await db.database.transaction(async (tx) => {
      await tx.execute(sql`DELETE FROM posts WHERE id = ${postId}`);
      marking = as('PUT', `/posts/${postId}/${path}`);
      await expect.poll(waiting).toBe(1);
    });
    expect((await marking)?.statusCode).toBe(404);
  });

  it('hides posts that were removed', async () => {
    const { as, postId } = await reader();
    await db.database.pool.query('UPDATE posts SET removed_at = now() WHERE id = $1', [postId]);
    expect((await as('GET', `/posts/${postId}`)).statusCode).toBe(404);
    expect((await as('PUT', `/posts/${postId}/star`)).statusCode).toBe(404);
  });

  it('refuses other bodies and ids', async () => {
    const { as, postId } = await reader();
    expect((await as('PUT', `/posts/${postId}/read`, { read: 'yes' })).statusCode).toBe(400);
    expect((await as('PUT', `/posts/${postId}/star`, { read: true })).statusCode).toBe(400);
    expect((await as('PUT', '/posts/x/read')).statusCode).toBe(400);
  });
});
