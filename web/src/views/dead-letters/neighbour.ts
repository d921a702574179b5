/**
 * The id below (1) or above (-1) in a list that is sorted newest first. `from` may have left the list already. Without a
 * valid `from` this is the first id; at the end of the list it is the last one.
 */
export function neighbour(ids: string[], from: string | undefined, step: 1 | -1): string | undefined {
  if (from === undefined || !/^\d+$/.test(from)) return ids[0];
  const start = BigInt(from);
  const beyond = step === 1 ? ids.find((id) => BigInt(id) < start) : ids.findLast((id) => BigInt(id) > start);
  return beyond ?? (step === 1 ? ids.at(-1) : ids[0]);
}
