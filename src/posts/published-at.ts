/** Earlier dates come from clocks that were never set. */
const EARLIEST = Date.UTC(1971, 0, 1);
/** Tolerance for clocks that are ahead of ours. */
const AHEAD_MS = 10 * 60_000;

/** Returns the stated time if it is plausible. */
export function believable(said: Date | undefined, now: Date): Date | undefined {
  const time = said?.getTime() ?? Number.NaN;
  return time >= EARLIEST && time <= now.getTime() + AHEAD_MS ? said : undefined;
}

/**
 * Returns the earliest stated time. A missing date may be added later, but a date that changes with every fetch would
 * move old posts to the top.
 */
export function keptTime(stored: Date, said: Date | undefined): Date {
  return said && said < stored ? said : stored;
}

/** Returns the time of discovery for a post without a date. The first post of a document counts as the newest. */
export function foundTime(now: Date, place: number): Date {
  return new Date(now.getTime() - place);
}
