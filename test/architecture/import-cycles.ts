import { importsOf } from './imports-of.js';
import type { SourceFile } from './source-tree.js';

/** Each cycle once, as `a.ts → b.ts → a.ts`. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const finished = new Set<string>();
  const cycles: string[] = [];

  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || finished.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}
