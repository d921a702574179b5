import type { Environment } from '../program/millrace-process.js';
import type { PlatformWorld } from './platform-world.js';
import { SECRET_KEY } from './seeded-publications.js';

export const LOCK_MS = 2_000;

/** Environment of a process that publishes to that world and soon notices work that others have left. */
export const trialEnvironment = (world: PlatformWorld, databaseUrl: string): Environment => ({
  ...world.environment,
  DATABASE_URL: databaseUrl,
  MILLRACE_SECRET_KEYS: SECRET_KEY,
  MILLRACE_HOST_CONCURRENCY: '50',
  MILLRACE_PLATFORM_LIMITS: 'facebook=none,youtube=none',
  MILLRACE_USER_LIMITS: 'facebook=none,youtube=none',
  MILLRACE_JOB_LOCK_MS: String(LOCK_MS),
  MILLRACE_SWEEP_MS: '500',
  MILLRACE_PUBLISH_CALL_MS: '2000',
});
