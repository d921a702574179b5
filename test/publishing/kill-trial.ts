import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/database.js';
import type { Moment } from '../../src/publishing/sending/test-hooks.js';
import type { Environment } from '../program/millrace-process.js';
import { hitIn, newHits } from './hits.js';
import { PlatformWorld, WORLD_PLATFORMS, type WorldPlatform } from './platform-world.js';
import { PublishingFleet } from './publishing-fleet.js';
import { allEnded, openCount, reckon } from './reckoning.js';
import { type Author, seedAuthors, seedPublications } from './seeded-publications.js';
import { orders } from './sudden-death.js';
import { trialEnvironment } from './trial-environment.js';

const AUTHORS = 40;
const SUPPLY_INTERVAL_MS = 100;
/** Answers take longer than a process lives that waits for one. */
const ANSWERS_IN_MS = 800;
/** A Bluesky session lasts two hours and is renewed ten minutes before its end, so on this clock before every use. */
const SLOW_CLOCK_MS = 115 * 60_000;

export interface Trial {
  database: Database;
  databaseUrl: string;
  moments: readonly Moment[];
  /** Number of publications to hit at each moment. */
  hits: number;
  /** The maximum of these that one death may hit. */
  together: number;
  processes: number;
  /** Number of publications that wait or are being published, as long as hits are missing. */
  supply: number;
  settlesInMs?: number;
  patienceMs: number;
}

interface Target {
  moment: Moment;
  folder: string;
}

/**
 * Processes die at moments of publishing, with several publications that stand there, until each moment has had its hits.
 * In the end every publication is on its platform once, and its status says so.
 */
export async function dieAtMoments(trial: Trial): Promise<void> {
  const { database } = trial;
  const world = await PlatformWorld.start();
  arrange(world, trial);
  const targets = trial.moments.map((moment) => ({ moment, folder: newHits() }));
  const startedAt = Date.now();
  const environment = () => ({ ...trialEnvironment(world, trial.databaseUrl), ...nextOrders(targets, trial) });
  const fleet = new PublishingFleet(
    Array.from({ length: trial.processes }, () => ({ roles: 'scheduler,worker', environment })),
  );
  const wanted = await keepSupplied(world, trial, targets);
  await allEnded(database, trial.patienceMs);
  const found = await reckon(database, world);
  const hits = Object.fromEntries(targets.map(({ moment, folder }) => [moment, hitIn(folder).length]));
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${JSON.stringify({ hits, deaths: fleet.deaths, seconds, ...found })}\n`);
  expect(found).toEqual({ published: wanted, failed: 0, unknown: 0, doubled: [], wrong: [] });
  await fleet.stop();
}

function arrange(world: PlatformWorld, { moments }: Trial): void {
  // A feature that hides a second call would also hide a mistake in Millrace.
  world.facebook.refusesRepetitions = false;
  if (moments.includes('sent and not answered')) {
    for (const fake of world.all) {
      fake.chances['slow after'] = 1;
      fake.slowMs = ANSWERS_IN_MS;
    }
  }
  if (moments.includes('refreshing credentials')) world.bluesky.now = () => new Date(Date.now() - SLOW_CLOCK_MS);
}

/** Keeps publications waiting until there have been enough hits. Returns their number. */
async function keepSupplied(world: PlatformWorld, trial: Trial, targets: Target[]): Promise<number> {
  const { database, moments, hits, supply } = trial;
  const platforms = platformsOf(moments);
  const names = Array.from({ length: AUTHORS }, (_, at) => `author${at}`);
  const authors = await seedAuthors(database, world, { names, platforms });
  const end = Date.now() + trial.patienceMs;
  let made = 0;
  for (; targets.some((target) => lacking(target, hits)); await sleep(SUPPLY_INTERVAL_MS)) {
    if (Date.now() > end) throw new Error(`some moments were not reached often enough: ${JSON.stringify(targets)}`);
    const missing = supply - (await openCount(database));
    const posts = Array.from({ length: Math.max(0, missing) }, () => newPost(made++, { authors, platforms, moments }));
    if (posts.length) await seedPublications(database, world, posts);
  }
  return made;
}

interface Choice {
  authors: Author[];
  platforms: readonly WorldPlatform[];
  moments: readonly Moment[];
}

function newPost(at: number, { authors, platforms, moments }: Choice) {
  const platform = platforms[at % platforms.length];
  const author = authors[Math.floor(at / platforms.length) % authors.length];
  if (!platform || !author) throw new Error('there is nobody to publish');
  const inSteps = moments.includes('between two steps') && (moments.length === 1 || at % 2 === 0);
  return { author, platform, text: `${author.name} says ${at}`, inSteps };
}

function platformsOf(moments: readonly Moment[]): readonly WorldPlatform[] {
  const [first, ...others] = moments;
  if (others.length) return WORLD_PLATFORMS;
  if (first === 'between two steps') return ['facebook', 'mastodon', 'bluesky'];
  if (first === 'refreshing credentials') return ['bluesky', 'youtube'];
  return ['facebook', 'mastodon', 'bluesky', 'webhook'];
}

const lacking = ({ folder }: Target, hits: number) => hitIn(folder).length < hits;

/** Each process dies at the next moment that still lacks hits. */
function nextOrders(targets: Target[], { hits: most, together, settlesInMs }: Trial): Environment {
  const next = targets.find((target) => lacking(target, most));
  if (next) targets.push(...targets.splice(targets.indexOf(next), 1));
  return orders({ settlesInMs, death: next && { ...next, most, together, signal: 'SIGKILL' } });
}
