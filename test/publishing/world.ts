import type { Config, RateLimit } from '../../src/platform/config.js';
import { type Place, startPlace } from './fake-platforms.js';
import { type Publisher, startPublishing } from './publisher.js';

/** Values that all processes on one database share. */
const secretKeys = ['a-secret-key-for-stories-of-publishing-only'];

/** Millrace with a fake platform on the same clock, and Anna with an account there. */
export async function startWorld<K extends Place>(databaseUrl: string, platform: K, config: Partial<Config> = {}) {
  const place = await startPlace(platform);
  const chosen = { secretKeys, ...place.config, ...config };
  const millrace = await startPublishing(databaseUrl, chosen);
  place.fake.now = millrace.time.now;
  const anna = millrace.as('anna');
  const { id: accountId } = await anna.account(place.given);
  let running = millrace;
  /** Stops it and starts another one on the same database with the same clock. */
  const restart = async (changed: Partial<Config> = {}) => {
    await running.stop();
    const next = await startPublishing(databaseUrl, { ...chosen, ...changed });
    place.fake.now = next.time.now;
    await next.time.follow(running.time);
    running = next;
    return { time: next.time, anna: next.as('anna'), as: next.as };
  };
  return { ...place, millrace, time: millrace.time, as: millrace.as, anna, accountId, restart };
}

type Limit = RateLimit | null;

export const limited = (platform: Place, ofAll: Limit, ofUser: Limit = ofAll): Partial<Config> => ({
  platformLimits: new Map([[platform, ofAll]]),
  userLimits: new Map([[platform, ofUser]]),
});

/** Returns the maximum number in any window of that length. */
export function mostWithin(moments: Date[], windowMs: number): number {
  const times = moments.map((at) => at.getTime());
  return Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at <= start + windowMs).length));
}

/** Publishes a text at once and waits until it is published. */
export async function out(who: Publisher, accountId: string, text: string): Promise<void> {
  const { id } = await who.publish({ accountId, content: { text } });
  await who.when(id, 'published');
}
