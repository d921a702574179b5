/** Calls `report` for the first of many events, and then at most once every `ms`. */
export function throttle<What>(ms: number, report: (what: What) => void, now: () => number = Date.now) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (what: What): void => {
    if (now() - reportedAt < ms) return;
    reportedAt = now();
    report(what);
  };
}
