import { readIsoDate } from './iso-date.js';
import { readWordedDate } from './worded-date.js';

/** No date that a feed means is longer. */
const LONGEST = 100;

/** A date as feeds write it, whatever the standard says; undefined if it cannot be read. A missing zone means UTC. */
export function readDate(text: string | undefined): Date | undefined {
  const trimmed = text?.replace(/\\n|\s+/g, ' ').trim();
  if (!trimmed || trimmed.length > LONGEST) return undefined;
  return readIsoDate(trimmed) ?? readWordedDate(trimmed);
}
