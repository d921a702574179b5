import { Text } from '../platform/database/columns.js';

const MAX_LEVELS = 20;
const MAX_LENGTH = 500;

/** A path of names, separated by slashes. */
export const Folder = Text.max(MAX_LENGTH)
  .transform((text) => levelsOf(text).join('/'))
  .refine((path) => path !== '', 'a name, or several separated by slashes')
  .refine((path) => levelsOf(path).length <= MAX_LEVELS, `at most ${MAX_LEVELS} levels`);

export const levelsOf = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean);

/** Returns a valid folder for any names. Levels that are too deep or too long are left out. */
export function folderOf(names: string[]): string | undefined {
  let path = '';
  for (const name of names.flatMap(levelsOf).slice(0, MAX_LEVELS)) {
    const deeper = path ? `${path}/${name}` : name;
    if (deeper.length > MAX_LENGTH) break;
    path = deeper;
  }
  return path || undefined;
}
