import { importsOf } from './imports-of.js';
import type { SourceFile } from './source-tree.js';

/** Folder of src/ → what it may import: folders, or single files of a folder (its doors). */
export type ImportMap = ReadonlyMap<string, readonly Allowed[]>;
interface Allowed {
  readonly folder: string;
  readonly doors?: readonly string[];
}

/** Files that lie in src/ itself put the folders together. */
const isTopLevel = (path: string) => path.split('/').length === 2;

/** Reads the table below the heading `Import map`. */
export function readImportMap(markdown: string): ImportMap {
  const [, section = ''] = markdown.split(/^#+ Import map$/m);
  const [table = ''] = section.trimStart().split(/\n(?!\|)/);
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.replaceAll('`', '').trim()));
  if (rows.length === 0) throw new Error('there is no table below the heading "Import map"');
  return new Map(rows.map(([, folder = '', allowed = '']) => [folder, readAllowed(allowed)]));
}

function readAllowed(cell: string): Allowed[] {
  return [...cell.matchAll(/([\w-]+)(?:\s*\(([^)]*)\))?/g)].map(([, folder = '', doors]) =>
    doors === undefined ? { folder } : { folder, doors: doors.split(',').map((door) => door.trim()) },
  );
}

export function forbiddenImports(files: readonly SourceFile[], map: ImportMap): string[] {
  return files
    .filter((file) => !isTopLevel(file.path))
    .flatMap((file) => {
      const folder = folderOf(file.path);
      const allowed = map.get(folder);
      if (!allowed) return [`${file.path}: the import map has no row for ${folder}`];
      return importsOf(file)
        .filter((target) => target.startsWith('src/') && folderOf(target) !== folder)
        .filter((target) => !allowed.some((entry) => lets(entry, target)))
        .map((target) => `${file.path} may not import ${target}`);
    });
}

function lets({ folder, doors }: Allowed, target: string): boolean {
  if (folderOf(target) !== folder) return false;
  return doors === undefined || doors.some((door) => target === `src/${folder}/${door}`);
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}
