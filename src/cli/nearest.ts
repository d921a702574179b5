/** More wrong letters than this, and it is another word. */
const MAX_CHANGES = 2;

/** The name that was probably meant. */
function nearest(given: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, changes: name.startsWith(given) ? 1 : changesBetween(given, name) }))
    .filter(({ name, changes }) => changes <= Math.min(MAX_CHANGES, name.length - 1))
    .toSorted((one, other) => one.changes - other.changes);
  return ranked[0]?.name;
}

export function didYouMean(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** Letters that must be added, left out, replaced or swapped with the next one. */
function changesBetween(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, at) => [at, ...new Array<number>(other.length).fill(0)]);
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let column = 0; column <= other.length; column++) (table[0] as number[])[column] = column;
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const fewest = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      (table[row] as number[])[column] = swapped ? Math.min(fewest, at(row - 2, column - 2) + 1) : fewest;
    }
  }
  return at(one.length, other.length);
}
