import { posix } from 'node:path';
import { type ESTree, Visitor } from 'vite';
import type { SourceFile } from './source-tree.js';

/** The files of the repository that a file refers to by a relative path, whatever the form of the import. */
export function importsOf(file: SourceFile): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file.path), specifier).replace(/\.js(x?)$/, '.ts$1'));
}

function specifiersOf({ program }: SourceFile): string[] {
  const specifiers: string[] = [];
  const take = (source: ESTree.Expression | null) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') specifiers.push(source.value);
  };
  new Visitor({
    ImportDeclaration: ({ source }) => take(source),
    ExportAllDeclaration: ({ source }) => take(source),
    ExportNamedDeclaration: ({ source }) => take(source),
    ImportExpression: ({ source }) => take(source),
    TSImportType: ({ source }) => take(source),
  }).visit(program);
  return specifiers;
}
