import { sql } from 'drizzle-orm';
import type { Database } from '../../src/platform/database/database.js';
import type { Events } from '../../src/platform/events/events.js';
import { Clock } from '../../src/platform/time/clock.js';
import { MarksStore } from '../../src/posts/marks.store.js';
import { ReadingChanges } from '../../src/posts/reading/reading-changes.js';
import { TimelineStore } from '../../src/posts/timeline.store.js';
import { positionAfter, type TimelinePosition } from '../../src/posts/timeline-position.js';
import type { Measurement } from '../report.js';
import { inMs, Times } from './times.js';
import { MARKS, type Marked, makeMarkedReaders } from './world.js';

const PAGE = 50;
const ROUNDS = 60;
const WARM_UP = 10;
const LATER_PAGE = 30;
const MAX_MS = 30;

interface Reader {
  marked: Marked;
  userId: string;
  /** Where the later page begins. */
  later: TimelinePosition | undefined;
}

/** Measures unread posts of readers who have marked 100,000 posts one by one, beside their ordinary pages. */
export async function measureUnread(database: Database, events: Events): Promise<Measurement[]> {
  const store = new TimelineStore(database);
  const marks = new MarksStore(database, new Clock(), new ReadingChanges(events));
  const readers: Reader[] = [];
  for (const [marked, userId] of await makeMarkedReaders(database)) {
    readers.push({ marked, userId, later: await startOfLaterPage(store, userId) });
  }
  const times = new Times();
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    if (round === 0) times.clear();
    for (const { marked, userId, later } of readers) {
      await times.add('ordinary page', () => store.list(userId, {}, { limit: PAGE + 1 }));
      await times.add(`${marked}, page 1`, () => unreadPage(store, userId));
      await times.add(`${marked}, page ${LATER_PAGE}`, () => unreadPage(store, userId, later));
      await markOne(marks, times, { userId, postId: await anyUnread(database, userId) });
    }
  }
  return report(times, readers);
}

const unreadPage = (store: TimelineStore, userId: string, after?: TimelinePosition) =>
  store.list(userId, { unread: true }, { after, limit: PAGE + 1 });

async function startOfLaterPage(store: TimelineStore, userId: string): Promise<TimelinePosition | undefined> {
  let after: TimelinePosition | undefined;
  for (let page = 1; page < LATER_PAGE; page++) {
    after = positionAfter((await unreadPage(store, userId, after)).slice(0, PAGE));
  }
  return after;
}

async function anyUnread({ db }: Database, userId: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM posts WHERE source_id = (SELECT source_id FROM follows WHERE user_id = ${userId} ORDER BY random() LIMIT 1)
      AND NOT EXISTS (SELECT FROM marks WHERE user_id = ${userId} AND post_id = id AND read)
    ORDER BY random() LIMIT 1`);
  return rows[0]?.id ?? '';
}

/** Takes the mark back afterwards, so that the readers stay as they are. */
async function markOne(marks: MarksStore, times: Times, { userId, postId }: { userId: string; postId: string }) {
  await times.add('marking a post', () => marks.setRead(userId, [postId], true));
  await times.add('unmarking a post', () => marks.setRead(userId, [postId], false));
}

function report(times: Times, readers: Reader[]): Measurement[] {
  const pages = readers.flatMap(({ marked }) => [`${marked}, page 1`, `${marked}, page ${LATER_PAGE}`]);
  return [
    { what: `reader with ${MARKS} marks, ordinary page, p95`, value: inMs(times.p95('ordinary page')) },
    ...pages.map((page) => ({
      what: `  unread, ${page}, p95`,
      value: inMs(times.p95(page)),
      target: `at most ${MAX_MS} ms`,
      met: times.p95(page) <= MAX_MS,
    })),
    { what: '  marking a post as read, p95', value: inMs(times.p95('marking a post')) },
    { what: '  marking it as unread, p95', value: inMs(times.p95('unmarking a post')) },
  ];
}
