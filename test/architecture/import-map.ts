import { importsOf } from './imports-of.js';
import { isTest, type SourceFile } from './source-tree.js';

/** A folder of src/, or `demo` or `tools` → what it may import: folders, or single files of a folder (its doors). */
export type ImportMap = ReadonlyMap<string, readonly Allowed[]>;
interface Allowed {
  readonly folder: string;
  readonly doors?: readonly string[];
}

/** Files that lie in src/ itself put its folders together, and may import all of them. They are the folder `src`. */
const TOP = 'src';

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
  const sources = files.filter(({ path }) => !isTest(path));
  return sources.flatMap((file) => {
    const folder = folderOf(file.path);
    const allowed = map.get(folder);
    if (!allowed && folder !== TOP) return [`${file.path}: the import map has no row for ${folder}`];
    const may = (target: string) =>
      folder === TOP ? target.startsWith('src/') : allowed?.some((entry) => lets(entry, target));
    return importsOf(file)
      .filter((target) => /^(src|demo|tools)\//.test(target) && folderOf(target) !== folder)
      .filter((target) => !may(target))
      .map((target) => `${file.path} may not import ${target}`);
  });
}

function lets({ folder, doors }: Allowed, target: string): boolean {
  if (folderOf(target) !== folder) return false;
  return doors === undefined || doors.some((door) => target === pathOf(folder, door));
}

const pathOf = (folder: string, door: string) => (folder === TOP ? `src/${door}` : `src/${folder}/${door}`);

function folderOf(path: string): string {
  const [top = '', folder = ''] = path.split('/');
  if (top !== 'src') return top;
  return path.split('/').length === 2 ? TOP : folder;
}
