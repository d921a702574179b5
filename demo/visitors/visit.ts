import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../../src/platform/log/log.js';
import type { World, WorldFeed } from '../world.js';
import { attempt, type Circumstances } from './again.js';
import { feedsOfAdmin, feedsOfReader, READERS } from './follows.js';
import { openAccounts } from './open-accounts.js';
import { fillCalendar, keepPublishing, publishInVain } from './publish.js';
import { keepReading, keepRefreshing } from './read.js';
import { type Door, Made, Visitor } from './visitor.js';

const SEARCH_AFTER_MS = 3_000;
const IMPORT_AFTER_MS = 7_000;
const SECOND_SEARCH_AFTER_MS = 40_000;

/** Everything that the users of the demo do, over the API. Fails with the signal's reason when the demo ends. */
export async function visit(world: World, door: Door, log: Log): Promise<void> {
  const admin = new Visitor(door);
  const around = { log, signal: door.signal };
  await attempt(() => followAll(admin, feedsOfAdmin(world.feeds), { inFolders: true }), around);
  await attempt(() => followProfiles(admin, world), around);
  const acts = [
    () => publish(world, admin, around),
    () => search(world, admin, around),
    () => importVillages(world, admin, around),
    ...READERS.map((name, at) => () => readAs(new Visitor(door, name), at, { world, ...around })),
  ];
  await Promise.all(acts.map((act) => attempt(act, around)));
}

async function publish(world: World, admin: Visitor, around: Circumstances): Promise<void> {
  const accounts = await openAccounts(admin, world.platforms);
  const publishing = { admin, accounts, seed: world.seed, startedAt: new Date(), picture: world.pictureFor };
  await attempt(() => publishInVain(publishing), around);
  await Promise.all([attempt(() => fillCalendar(publishing), around), keepPublishing(publishing, around)]);
}

async function search({ search }: World, admin: Visitor, { signal }: Circumstances): Promise<void> {
  const source_types = ['openstreetmap', 'google', 'crunchbase', 'web'];
  const look = (industry: string, sites: string[]) =>
    admin.post('jobs/scrape', { industry, geography: search.town, source_types, filters: { sites } }, z.unknown());
  await sleep(SEARCH_AFTER_MS, undefined, { signal });
  await look('bakery', search.sites.bakery);
  await sleep(SECOND_SEARCH_AFTER_MS, undefined, { signal });
  await look('bookshop', search.sites.bookshop);
}

async function importVillages({ villages }: World, admin: Visitor, { signal }: Circumstances): Promise<void> {
  await sleep(IMPORT_AFTER_MS, undefined, { signal });
  await admin.post('imports/start', { feeds: villages.map(({ url }) => url), full: true }, z.unknown());
}

interface Reading extends Circumstances {
  world: World;
}

/** Readers start one after the other, so that they do not all read at the same moment. */
async function readAs(reader: Visitor, at: number, { world, ...around }: Reading): Promise<void> {
  await sleep(at * 900, undefined, { signal: around.signal });
  const feeds = feedsOfReader(reader.user ?? '', world.feeds);
  const ids = await followAll(reader, feeds, { inFolders: false });
  if (at % 3 === 0) await followProfiles(reader, world);
  const troubled = ids.filter((_, place) => ['fails', 'busy'].includes(feeds[place]?.publication.habit ?? ''));
  await Promise.all([
    keepReading(reader, around),
    ...(troubled.length ? [keepRefreshing(reader, troubled, around)] : []),
  ]);
}

async function followProfiles(who: Visitor, { instagram }: World): Promise<void> {
  for (const { username } of instagram.profiles) {
    await who.post('sources/follow', { type: 'instagram', externalId: username, folder: 'Instagram' }, Made);
  }
}

async function followAll(who: Visitor, feeds: WorldFeed[], { inFolders }: { inFolders: boolean }): Promise<string[]> {
  const ids: string[] = [];
  for (const { publication, home, url } of feeds) {
    const what = publication.habit === 'page' ? { url: home } : { type: 'rss', externalId: url };
    const folder = inFolders ? { folder: publication.folder } : {};
    ids.push((await who.post('sources/follow', { ...what, ...folder }, Made)).id);
  }
  return ids;
}
