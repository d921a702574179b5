import type { Config } from '../../platform/config.js';
import type { Platform } from '../platform.js';
import type { Publication } from '../publications/publications.table.js';
import { expiryAt, type OpenCall } from './next-attempt.js';

/** Only test programs lower it: their platforms show at once what they have taken. */
export const settling = { usuallyMs: 10_000 };

/** Keys are used no more when the platform is about to forget them. */
const KEY_MARGIN_MS = 60_000;

/** How long after a call the platform may not show yet what came of it. */
export const settlesInMs = (platform: Pick<Platform, 'settlesInMs'> | undefined) =>
  platform?.settlesInMs ?? settling.usuallyMs;

/** What the rules need to know about a publication whose last call has no known end. */
export function openCallOf(
  publication: Publication,
  platform: Pick<Platform, 'knowsKeysForMs'> | undefined,
  { config, now }: { config: Pick<Config, 'publishCallMs' | 'publishGraceMs'>; now: Date },
): OpenCall {
  const { attempts, postponements, intendedAt, lastError } = publication;
  const calledAt = intendedAt ?? now;
  const keyUntil = keyUntilOf(publication, platform?.knowsKeysForMs, config.publishCallMs);
  const expiresAt = expiryAt(publication, config.publishGraceMs);
  return { attempts, postponements, calledAt, crashed: lastError === null, keyUntil, expiresAt, now };
}

/** Counted from the first call, since that may be the one that the platform has taken. */
function keyUntilOf({ firstTriedAt, createdAt }: Publication, knowsKeysForMs: number | undefined, callMs: number) {
  if (knowsKeysForMs === undefined) return undefined;
  return new Date((firstTriedAt ?? createdAt).getTime() + knowsKeysForMs - callMs - KEY_MARGIN_MS);
}
