import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type ParseResult, parseSync } from 'vite';

export interface SourceFile {
  /** From the repository's root, with forward slashes: `src/auth/users.store.ts`. */
  readonly path: string;
  readonly text: string;
  readonly program: ParseResult['program'];
}

/** Everything in `src/`, `demo/` and `tools/`, unless other folders are named. Declaration files are generated and left out. */
export function readSourceTree(root: string, folders = ['src', 'demo', 'tools']): SourceFile[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => sourceFile(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

export function sourceFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return { path, text, program };
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}
