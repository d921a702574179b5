import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { RateLimit } from '../../src/platform/config.js';
import type { Database } from '../../src/platform/database/database.js';
import { publicationChanges, publications } from '../../src/publishing/publications/publications.table.js';
import type { Environment } from '../program/millrace-process.js';
import { printedSeed, seededRandom } from '../program/seeded-random.js';
import { PlatformWorld, type WorldPlatform } from './platform-world.js';
import { PublishingFleet } from './publishing-fleet.js';
import { allEnded, openCount, reckon } from './reckoning.js';
import { seedAuthors, seedPublications } from './seeded-publications.js';
import { orders } from './sudden-death.js';
import { trialEnvironment } from './trial-environment.js';
import { fullestWindow, usedCapacity } from './windows.js';

const PLATFORMS = ['facebook', 'mastodon', 'bluesky', 'webhook'] as const satisfies WorldPlatform[];
const FRONT = 0;
/** Workers are schedulers as well; otherwise nothing would be handed out while the API process is away. */
const ROLES = ['api,scheduler', 'scheduler,worker', 'scheduler,worker', 'scheduler,worker'];
const LOST_ANSWERS = 0.01;
/** One of this many users is urgent. Their own limit holds them back, not the limit of the platform. */
const URGENT = 5;

export interface Storm {
  database: Database;
  databaseUrl: string;
  posts: number;
  users: number;
  platformLimit: RateLimit;
  userLimit: RateLimit;
  /** Between two kills. */
  everyMs: number;
  /** Kills go on for so long, unless everything is out before. */
  killsMs: number;
  settlesInMs?: number;
  patienceMs: number;
}

export interface StormResult {
  kills: number;
  seconds: number;
  /** For each platform, the share of its limit that was used while posts waited. */
  capacity: Record<string, number>;
}

/**
 * Posts of many users wait for capacity within the limits while processes are killed and platforms lose answers. In the end each
 * is on its platform once or says truly why not, and no window has held more than the limits.
 */
export async function publishThroughKills(storm: Storm): Promise<StormResult> {
  const { database, posts } = storm;
  const random = seededRandom(printedSeed());
  const world = await PlatformWorld.start();
  for (const fake of world.all) fake.chances['drops after'] = LOST_ANSWERS;
  Object.assign(world.facebook, { refusesRepetitions: false });
  await seed(world, storm);
  const environment = () => stormEnvironment(world, storm);
  const startedAt = Date.now();
  const fleet = new PublishingFleet(ROLES.map((roles) => ({ roles, environment })));
  await fleet.ready();
  await keepKilling(fleet, storm, random);
  const kills = fleet.deaths;
  await allEnded(database, storm.patienceMs);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const { published, failed, unknown, ...mistakes } = await reckon(database, world);
  const fullest = fullestWindows(world, storm);
  const capacity = await capacities(world, storm);
  const told = { kills, seconds, published, failed, unknown, ...mistakes, ...fullest, capacity };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  expect(mistakes).toEqual({ doubled: [], wrong: [] });
  expect(published + failed + unknown).toBe(posts);
  expect(unknown).toBe(0);
  expect(fullest.ofPlatform).toBeLessThanOrEqual(storm.platformLimit.most);
  expect(fullest.ofUser).toBeLessThanOrEqual(storm.userLimit.most);
  await fleet.stop();
  return { kills, seconds, capacity };
}

async function seed(world: PlatformWorld, { database, posts, users }: Storm): Promise<void> {
  const names = Array.from({ length: users }, (_, at) => `author${at}`);
  const authors = await seedAuthors(database, world, { names, platforms: PLATFORMS });
  const seeded = Array.from({ length: posts }, (_, at) => {
    const user = Math.floor(at / PLATFORMS.length) % users;
    const [platform, author] = [PLATFORMS[at % PLATFORMS.length], authors[user]];
    if (!platform || !author) throw new Error('there is nobody to publish');
    return { platform, author, text: `${author.name} says ${at}`, priority: user % URGENT ? 1 : 0 };
  });
  await seedPublications(database, world, seeded);
}

function stormEnvironment(world: PlatformWorld, storm: Storm): Environment {
  const { databaseUrl, platformLimit, userLimit, settlesInMs } = storm;
  const each = ({ most, windowMs }: RateLimit) => PLATFORMS.map((name) => `${name}=${most}/${windowMs}ms`).join();
  return {
    ...trialEnvironment(world, databaseUrl),
    MILLRACE_PLATFORM_LIMITS: each(platformLimit),
    MILLRACE_USER_LIMITS: each(userLimit),
    ...orders({ settlesInMs }),
    PORT: '0',
  };
}

/** Running processes except the only worker, because work must continue. */
async function keepKilling(fleet: PublishingFleet, { database, everyMs, killsMs }: Storm, random: () => number) {
  for (const end = Date.now() + killsMs; Date.now() < end && (await openCount(database)) > 0; await sleep(everyMs)) {
    const { up } = fleet;
    const isLast = up.filter((at) => at !== FRONT).length < 2;
    const victims = up.filter((at) => at === FRONT || !isLast);
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim !== undefined) fleet.process(victim).send('SIGKILL');
  }
}

/** On the platforms' own logs. */
function fullestWindows(world: PlatformWorld, { platformLimit, userLimit }: Storm) {
  const byPlatform = new Map<string, number[]>();
  const byUser = new Map<string, number[]>();
  for (const { platform, text, at } of world.shown()) {
    const user = `${platform} of ${text.split(' ')[0]}`;
    byPlatform.set(platform, [...(byPlatform.get(platform) ?? []), at.getTime()]);
    byUser.set(user, [...(byUser.get(user) ?? []), at.getTime()]);
  }
  const fullest = (lists: Map<string, number[]>, { windowMs }: RateLimit) =>
    Math.max(...[...lists.values()].map((moments) => fullestWindow(moments, windowMs)));
  return { ofPlatform: fullest(byPlatform, platformLimit), ofUser: fullest(byUser, userLimit) };
}

/** From the end of the first window to the moment at which the last post was handed out for the first time. */
async function capacities(world: PlatformWorld, { database, platformLimit }: Storm): Promise<Record<string, number>> {
  const { rows } = await database.db.execute<{ platform: string; at: string }>(sql`
    SELECT platform, max(first)::text AS at FROM (
      SELECT publication_id, min(at) AS first FROM ${publicationChanges} WHERE "to" = 'queued' GROUP BY publication_id
    ) AS handed_out JOIN ${publications} ON id = publication_id GROUP BY platform`);
  const used = rows.map(({ platform, at }) => {
    const shown = world.shown().filter((post) => post.platform === platform);
    const moments = shown.map((post) => post.at.getTime());
    const [from, to] = [Math.min(...moments) + platformLimit.windowMs, Date.parse(at)];
    return [platform, Number(usedCapacity(moments, { ...platformLimit, from, to }).toFixed(4))];
  });
  return Object.fromEntries(used);
}
