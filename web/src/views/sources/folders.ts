/** All folders in use and their parents, sorted. */
export function foldersOf(sources: readonly { folder: string | null }[]): string[] {
  const folders = new Set<string>();
  for (const { folder } of sources) {
    const levels = folder?.split('/') ?? [];
    for (const depth of levels.keys()) folders.add(levels.slice(0, depth + 1).join('/'));
  }
  return [...folders].sort((a, b) => a.localeCompare(b));
}

/** Includes subfolders. */
export const isInFolder = (place: string | null, folder: string): boolean =>
  place === folder || (place?.startsWith(`${folder}/`) ?? false);
