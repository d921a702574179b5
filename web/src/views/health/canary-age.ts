import { duration } from '../../design/duration';
import type { Health } from './use-health';

export type Canary = Health['stats']['canaries'][number];

/** "3 s ago": when a canary last came back. */
export function canaryAge(canary: Canary | undefined): string {
  if (!canary || canary.ageSeconds === null) return '–';
  return `${duration(canary.ageSeconds)} ago`;
}
