import { Text } from '../platform/database/columns.js';

const MOST_LEVELS = 20;
const LONGEST = 500;

/** Where a source lies among a user's sources: names parted by slashes. */
export const Folder = Text.max(LONGEST)
  .transform((text) => levelsOf(text).join('/'))
  .refine((path) => path !== '', 'a name, or several parted by slashes')
  .refine((path) => levelsOf(path).length <= MOST_LEVELS, `at most ${MOST_LEVELS} levels`);

export const levelsOf = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean);

/** The same from names that nobody has checked; what is too deep or too long lies as near to its place as can be. */
export function folderOf(names: string[]): string | undefined {
  let path = '';
  for (const name of names.flatMap(levelsOf).slice(0, MOST_LEVELS)) {
    const deeper = path ? `${path}/${name}` : name;
    if (deeper.length > LONGEST) break;
    path = deeper;
  }
  return path || undefined;
}
