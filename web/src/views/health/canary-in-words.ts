import { duration } from '../../design/duration';
import type { Health } from './use-health';

export type Canary = Health['stats']['canaries'][number];

/** "3 s ago": when a job was last seen to go through, whatever else there is to do. */
export function canaryInWords(canary: Canary | undefined): string {
  if (!canary || canary.ageSeconds === null) return '–';
  return `${duration(canary.ageSeconds)} ago`;
}
