import type { Config } from '../../platform/config.js';
import type { Platform } from '../platform.js';
import type { Publication } from '../publications/publications.table.js';
import { expiryAt, type OpenCall } from './next-attempt.js';

/**
 * The default settling time in milliseconds. Only test programs lower it, because their platforms show posts at once.
 */
export const settling = { usuallyMs: 10_000 };

/** A key is not used in the last minute before the platform may forget it. */
const KEY_MARGIN_MS = 60_000;

/** For this long (ms) after a call, the platform may not show the post yet. */
export const settlesInMs = (platform: Pick<Platform, 'settlesInMs'> | undefined) =>
  platform?.settlesInMs ?? settling.usuallyMs;

/** Collects the facts that the rules need about a publication whose last call has an unknown outcome. */
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

/** The time counts from the first call, because that may be the one that the platform accepted. */
function keyUntilOf({ firstTriedAt, createdAt }: Publication, knowsKeysForMs: number | undefined, callMs: number) {
  if (knowsKeysForMs === undefined) return undefined;
  return new Date((firstTriedAt ?? createdAt).getTime() + knowsKeysForMs - callMs - KEY_MARGIN_MS);
}
