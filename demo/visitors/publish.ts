import { z } from 'zod';
import { PROOF } from '../platforms/demo-platforms.js';
import { again, attempt, type Circumstances } from './again.js';
import type { AccountIds } from './open-accounts.js';
import { type AccountName, type PlannedPost, plannedPosts, postOf } from './post-plan.js';
import type { Visitor } from './visitor.js';

interface Publishing {
  admin: Visitor;
  accounts: AccountIds;
  seed: number;
  startedAt: Date;
  /** The address of a picture for a post. */
  picture(post: PlannedPost): string;
}

const DAY_MS = 86_400_000;
/** Milliseconds before its time at which a post is created. */
const AHEAD_MS = 60_000;
const INTERVAL_MS = 10_000;

/** Creates posts for the next two weeks, for the calendar. */
export async function fillCalendar({ admin, accounts, seed, startedAt }: Publishing): Promise<void> {
  const names: AccountName[] = ['page', 'company', 'ferries', 'museum', 'newsletter'];
  for (let day = 1; day <= 14; day++) {
    const chosen = names.filter((_, at) => (day + at) % 4 === 0);
    const { text } = postOf(seed, chosen[0] ?? 'page', day * DAY_MS);
    const date = new Date(startedAt.getTime() + day * DAY_MS).toISOString().slice(0, 10);
    const time = { localTime: `${date}T${day % 2 ? '09:30' : '17:15'}`, timezone: 'Europe/London' };
    const accountIds = (chosen.length ? chosen : ['page' as const]).map((name) => accounts[name]);
    await admin.post('publications', { accountIds, content: { text }, ...time }, z.unknown());
  }
}

/** Creates two posts that fail permanently: one of a lapsed account, and one that succeeds when it is replayed. */
export async function publishInVain({ admin, accounts }: Publishing): Promise<void> {
  const say = (accountId: string, text: string) =>
    admin.post('publications', { accountId, content: { text } }, z.unknown());
  await say(accounts.lapsed, 'Rowing on Saturday is off: the boathouse door is stuck.');
  await say(accounts.newsletter, `${PROOF} of the spring issue, pages one to four.`);
}

/** Publishes until the demo ends. */
export function keepPublishing(publishing: Publishing, around: Circumstances): Promise<never> {
  const { seed, startedAt } = publishing;
  let planned = 0;
  const publishNext = async () => {
    const elapsed = Date.now() - startedAt.getTime();
    // Posts that were due while the machine slept are skipped.
    const from = Math.max(planned, elapsed);
    planned = elapsed + AHEAD_MS;
    for (const post of plannedPosts(seed, from, planned)) await attempt(() => publish(publishing, post), around);
  };
  return again(INTERVAL_MS, publishNext, around);
}

async function publish({ admin, accounts, startedAt, picture }: Publishing, post: PlannedPost): Promise<void> {
  const { account, text, priority, offsetMs, hasPicture } = post;
  const scheduledAt = new Date(startedAt.getTime() + offsetMs).toISOString();
  const mediaUrls = hasPicture ? [picture(post)] : [];
  await admin.post(
    'publications',
    { accountId: accounts[account], content: { text, mediaUrls }, priority, scheduledAt },
    z.unknown(),
  );
}
