import { Text } from '../platform/database/columns.js';

const MAX_LEVELS = 20;
const MAX_LENGTH = 500;

/** Where a source lies among a user's sources: names parted by slashes. */
export const Folder = Text.max(MAX_LENGTH)
  .transform((text) => levelsOf(text).join('/'))
  .refine((path) => path !== '', 'a name, or several parted by slashes')
  .refine((path) => levelsOf(path).length <= MAX_LEVELS, `at most ${MAX_LEVELS} levels`);

export const levelsOf = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean);

/** The same from names that nobody has checked; what is too deep or too long lies as near to its place as can be. */
export function folderOf(names: string[]): string | undefined {
  let path = '';
  for (const name of names.flatMap(levelsOf).slice(0, MAX_LEVELS)) {
    const deeper = path ? `${path}/${name}` : name;
    if (deeper.length > MAX_LENGTH) break;
    path = deeper;
  }
  return path || undefined;
}
