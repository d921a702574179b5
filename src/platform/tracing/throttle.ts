/** Tells the first of many, and then one each `ms`: what goes wrong all day is worth a line now and then. */
export function throttle<What>(ms: number, tell: (what: What) => void, now: () => number = Date.now) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (what: What): void => {
    if (now() - toldAt < ms) return;
    toldAt = now();
    tell(what);
  };
}
