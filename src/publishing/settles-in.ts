import type { Platform } from './platform.js';

/** Lowered only by programs of tests, whose platforms show at once what they have taken. */
export const settling = { usuallyMs: 10_000 };

/** How long after a call the platform may not show yet what came of it. */
export const settlesInMs = (platform: Pick<Platform, 'settlesInMs'> | undefined) =>
  platform?.settlesInMs ?? settling.usuallyMs;
