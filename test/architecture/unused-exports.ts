import { posix } from 'node:path';
import { type ESTree, Visitor } from 'vite';
import type { SourceFile } from './source-tree.js';

/** A file and a name in it, or `*` for all of its names: `src/auth/users.store.ts#UsersStore`. */
type Use = `${string}#${string}`;

/** drizzle-kit imports the tables to make migrations of them. */
const TABLE = /\.table\.ts$/;

/**
 * Lists what `files` export and no file imports, by name or as a whole. `users` are files that may import it as well,
 * such as tests.
 */
export function unusedExports(files: readonly SourceFile[], users: readonly SourceFile[]): string[] {
  const used = new Set([...files, ...users].flatMap(usesOf));
  const checked = files.filter(({ path }) => !TABLE.test(path));
  return checked.flatMap((file) =>
    exportsOf(file)
      .filter((name) => !used.has(`${file.path}#${name}`) && !used.has(`${file.path}#*`))
      .map((name) => `${file.path} exports ${name}, which nobody imports`),
  );
}

function exportsOf({ program }: SourceFile): string[] {
  const names: string[] = [];
  new Visitor({
    ExportNamedDeclaration: ({ declaration, specifiers }) => {
      names.push(...specifiers.map(({ exported }) => nameOf(exported)));
      if (declaration) names.push(...declaredNames(declaration));
    },
  }).visit(program);
  return [...new Set(names)];
}

function declaredNames(declaration: ESTree.Declaration): string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
}

function usesOf({ path, program }: SourceFile): Use[] {
  const uses: Use[] = [];
  const take = (source: ESTree.Node | null, names: string[]) => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string' || !source.value.startsWith('.')) return;
    const file = posix.join(posix.dirname(path), source.value).replace(/\.js(x?)$/, '.ts$1');
    uses.push(...names.map((name): Use => `${file}#${name}`));
  };
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) =>
      take(
        source,
        specifiers.map((one) => (one.type === 'ImportSpecifier' ? nameOf(one.imported) : '*')),
      ),
    ExportNamedDeclaration: ({ source, specifiers }) =>
      take(
        source,
        specifiers.map(({ local }) => nameOf(local)),
      ),
    ExportAllDeclaration: ({ source }) => take(source, ['*']),
    ImportExpression: ({ source }) => take(source, ['*']),
    TSImportType: ({ source }) => take(source, ['*']),
  }).visit(program);
  return uses;
}

function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}
