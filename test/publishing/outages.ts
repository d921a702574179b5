import { expect } from 'vitest';
import type { Config } from '../../src/platform/config.js';
import type { PublicationView } from '../../src/publishing/publications/publication-view.js';
import type { Outage } from '../platforms/faulty-api.js';
import { startPlace, textsOf } from './fake-platforms.js';
import { type Publisher, type Publishing, startPublishing } from './publisher.js';

export const OUTAGE_PLATFORMS = ['mastodon', 'bluesky', 'facebook', 'webhook'] as const;
export type OutagePlatform = (typeof OUTAGE_PLATFORMS)[number];

/** 'away' means that connections are refused. */
export type Failure = Outage | 'away';

const TEXTS = ['Dawn', 'Dusk'];
/** Posts that are due within this time are published together, because delays vary a little. */
const TOGETHER_MS = 30_000;
const ENDED = ['published', 'failed', 'expired', 'unknown'];

/** Millrace with an account on a platform that uses its clock. */
export async function joinPlatform({ as, time }: Publishing, place: Awaited<ReturnType<typeof startPlace>>) {
  place.fake.now = time.now;
  const anna = as('anna');
  const { id: accountId } = await anna.account(place.given);
  place.fake.retryAfterSeconds = 60;
  return { fake: place.fake, platform: place.given.platform, anna, accountId };
}
export type Joined = Awaited<ReturnType<typeof joinPlatform>>;

/** Accounts on all platforms of the outages. */
export async function startOutages(databaseUrl: string, config: Partial<Config> = {}) {
  const places = await Promise.all(OUTAGE_PLATFORMS.map((platform) => startPlace(platform)));
  const chosen = Object.assign({}, ...places.map((place) => place.config), config);
  const millrace = await startPublishing(databaseUrl, chosen);
  const joined: Joined[] = [];
  for (const place of places) joined.push(await joinPlatform(millrace, place));
  return { millrace, joined };
}

export async function goDown({ fake }: Joined, failure: Failure): Promise<void> {
  if (failure === 'away') await fake.close();
  else fake.outage = failure;
}

export async function comeBack({ fake }: Joined, failure: Failure): Promise<void> {
  if (failure === 'away') await fake.reopen();
  fake.outage = undefined;
}

export async function publishTexts({ anna, accountId }: Joined): Promise<string[]> {
  const made = TEXTS.map((text) => anna.publish({ accountId, content: { text } }));
  return (await Promise.all(made)).map(({ id }) => id);
}

/** Their states when all have come back from workers, and the next due time. */
export async function settled(
  anna: Publisher,
  ids: string[],
): Promise<{ now: PublicationView[]; nextAt: number | undefined }> {
  let now: PublicationView[] = [];
  const isSettled = ({ status, waitsUntil }: PublicationView) => ENDED.includes(status) || waitsUntil !== null;
  await expect
    .poll(
      async () => {
        now = await newest(anna, ids);
        return now.filter((publication) => !isSettled(publication)).map(({ id, lastError }) => ({ id, lastError }));
      },
      { timeout: 60_000, interval: 100 },
    )
    .toEqual([]);
  const moments = now
    .filter(({ status }) => !ENDED.includes(status))
    .map(({ waitsUntil }) => Date.parse(waitsUntil ?? ''));
  const first = Math.min(...moments);
  const together = moments.filter((at) => at <= first + TOGETHER_MS);
  return { now, nextAt: moments.length ? Math.max(...together) : undefined };
}

async function newest(anna: Publisher, ids: string[]): Promise<PublicationView[]> {
  const { items } = (await anna.send('GET', '/publications?limit=100')).body as { items: PublicationView[] };
  const wanted = items.filter(({ id }) => ids.includes(id));
  expect(wanted).toHaveLength(ids.length);
  return wanted;
}

/** Expects each text once. An outage costs no attempt, so the successful attempt is the only one. */
export async function expectPublishedOnce(joined: Joined, ids: string[]): Promise<void> {
  const { fake, platform, anna } = joined;
  const found = await Promise.all(ids.map((id) => anna.find(id)));
  const results = found.map(({ status, attempts, lastError }) => ({ status, attempts, lastError }));
  const histories = `${platform}: ${JSON.stringify(found.map(({ history }) => history))}`;
  expect(results, histories).toEqual(TEXTS.map(() => ({ status: 'published', attempts: 1, lastError: null })));
  // Tests of other programs on this machine may call a port that was theirs before.
  const shown = textsOf(fake).filter((text) => TEXTS.includes(text));
  expect(shown.toSorted(), platform).toEqual(TEXTS.toSorted());
}
