import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/database.js';
import { hitIn, newHits } from './hits.js';
import { PlatformWorld } from './platform-world.js';
import { PublishingFleet } from './publishing-fleet.js';
import { allEnded, openCount, reckon } from './reckoning.js';
import { seedAuthors, seedPublications } from './seeded-publications.js';
import { type Death, orders } from './sudden-death.js';
import { LOCK_MS, trialEnvironment } from './trial-environment.js';

/** Moments after a request has left, before one leaves, and without any. */
const STANDING: Pick<Death, 'moment' | 'leavesInMs'>[] = [
  { moment: 'claimed and not sent' },
  { moment: 'sent and not answered', leavesInMs: 20 },
  { moment: 'sent and not answered', leavesInMs: 0 },
];
/** The concurrency of a worker. */
const TOGETHER = 3;
/** Publications per worker that is going to freeze. Frozen workers keep theirs. */
const SUPPLY = 20;
const ANSWERS_IN_MS = 800;
const TIMEOUT_MS = 60_000;

export interface Freeze {
  database: Database;
  databaseUrl: string;
  /** Number of workers to freeze at each moment. */
  workers: number;
}

/**
 * Workers stand still at moments of publishing, on a platform that knows no keys, for three times their lock and until
 * another has published everything. Woken, they send nothing.
 */
export async function freezeWorkers({ database, databaseUrl, workers }: Freeze): Promise<void> {
  const world = await PlatformWorld.start();
  Object.assign(world.facebook, { refusesRepetitions: false, slowMs: ANSWERS_IN_MS });
  world.facebook.chances['slow after'] = 1;
  const frozen = STANDING.flatMap((standing) =>
    Array.from({ length: workers }, (): Death => {
      return { ...standing, folder: newHits(), most: TOGETHER, together: TOGETHER, signal: 'SIGSTOP' };
    }),
  );
  const start = (death?: Death) => ({
    roles: death ? 'worker' : 'scheduler,worker',
    environment: () => ({ ...trialEnvironment(world, databaseUrl), ...orders({ death, settlesInMs: 500 }) }),
  });
  const fleet = new PublishingFleet([...frozen.map(start), start()]);
  const areAllFrozen = () => frozen.every((_, at) => isStopped(fleet.process(at).pid));
  const wanted = await keepSupplied(world, { database, open: SUPPLY * frozen.length }, areAllFrozen);
  await Promise.all([sleep(3 * LOCK_MS), allEnded(database, TIMEOUT_MS)]);
  const once = { published: wanted, failed: 0, unknown: 0, doubled: [], wrong: [] };
  await expect.poll(() => reckon(database, world), { timeout: TIMEOUT_MS }).toEqual(once);
  for (const at of frozen.keys()) fleet.process(at).send('SIGCONT');
  await sleep(LOCK_MS);
  const after = await reckon(database, world);
  const hits = frozen.map(({ moment, folder }) => `${moment}: ${hitIn(folder).length}`);
  process.stdout.write(`${JSON.stringify({ hits, ...after })}\n`);
  expect(after).toEqual(once);
  await fleet.stop();
}

async function keepSupplied(
  world: PlatformWorld,
  { database, open }: Supply,
  isEnough: () => boolean,
): Promise<number> {
  const names = Array.from({ length: 10 }, (_, at) => `author${at}`);
  const authors = await seedAuthors(database, world, { names, platforms: ['facebook'] });
  let made = 0;
  for (const end = Date.now() + TIMEOUT_MS; !isEnough(); await sleep(50)) {
    if (Date.now() > end) throw new Error('not every worker has come to where it was to stand still');
    for (let missing = open - (await openCount(database)); missing > 0; missing -= 1) {
      const author = authors[made % authors.length];
      if (author)
        await seedPublications(database, world, [
          { author, platform: 'facebook', text: `${author.name} says ${made}` },
        ]);
      made += 1;
    }
  }
  return made;
}

interface Supply {
  database: Database;
  /** Returns the number of publications that wait or are being published. */
  open: number;
}

/** Linux shows a stopped process as T. */
const isStopped = (pid: number) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
