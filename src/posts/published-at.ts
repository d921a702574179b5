/** No feed is older; such dates are clocks that were never set. */
const EARLIEST = Date.UTC(1971, 0, 1);
/** What a clock of others may be ahead of ours. */
const AHEAD_MS = 10 * 60_000;

/** The time that a source says, if it can be true. */
export function believable(said: Date | undefined, now: Date): Date | undefined {
  const time = said?.getTime() ?? Number.NaN;
  return time >= EARLIEST && time <= now.getTime() + AHEAD_MS ? said : undefined;
}

/**
 * The time that a post keeps: the earliest that was said. A date that was missing at first may come later, but one that
 * moves on with every fetch would bring old posts back to the top.
 */
export function keptTime(stored: Date, said: Date | undefined): Date {
  return said && said < stored ? said : stored;
}

/** The time of a post without one: when it was found. What a document shows first is taken to be newest. */
export function foundTime(now: Date, place: number): Date {
  return new Date(now.getTime() - place);
}
