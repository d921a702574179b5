import { type SourceFile, sourceFile } from './source-tree.js';

/** Path → text of each file. */
export function madeUpTree(files: Record<string, string>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => sourceFile(path, text));
}
