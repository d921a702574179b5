/**
 * The letter below (1) or above (-1) in a list with the newest first. The one to start from need not be in the list any more;
 * with none to start from, or what is no id, the first. At the end of the list, the last one itself.
 */
export function neighbour(ids: string[], from: string | undefined, step: 1 | -1): string | undefined {
  if (from === undefined || !/^\d+$/.test(from)) return ids[0];
  const start = BigInt(from);
  const beyond = step === 1 ? ids.find((id) => BigInt(id) < start) : ids.findLast((id) => BigInt(id) > start);
  return beyond ?? (step === 1 ? ids.at(-1) : ids[0]);
}
