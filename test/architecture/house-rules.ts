import { type ESTree, Visitor } from 'vite';
import { importsOf } from './imports-of.js';
import { isTest, type SourceFile } from './source-tree.js';

const MAX_FILE = 400;
const CONFIGURATION = 'src/platform/config.ts';
const VAGUE_FOLDERS = ['utils', 'common', 'shared', 'types', 'dto', 'constants'];

/** A rule lists what breaks it, one line each. */
type Rule = (files: readonly SourceFile[]) => string[];

export const longFiles: Rule = (files) =>
  files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

export const vagueFolders: Rule = (files) => {
  const folders = files.flatMap(({ path }) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, at, all) => all.slice(0, at + 1)),
  );
  const vague = folders.filter((folder) => VAGUE_FOLDERS.includes(folder.at(-1) ?? ''));
  return [...new Set(vague.map((folder) => folder.join('/')))];
};

export const barrels: Rule = (files) => pathsOf(files.filter(({ path }) => /\/index\.tsx?$/.test(path)));

export const environmentReaders: Rule = (files) =>
  pathsOf(files.filter((file) => file.path !== CONFIGURATION && readsEnvironment(file)));

export const importsOfTests: Rule = (files) =>
  files
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('test/') || isTest(target))
        .map((target) => `${file.path} imports ${target}`),
    );

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

function readsEnvironment({ program }: SourceFile): boolean {
  let found = false;
  new Visitor({
    MemberExpression: (node) => {
      found ||= isProcess(node.object) && nameOf(node.property) === 'env';
    },
    VariableDeclarator: ({ id, init }) => {
      found ||= id.type === 'ObjectPattern' && isProcess(init) && picksEnv(id.properties);
    },
    ImportDeclaration: ({ source, specifiers }) => {
      const fromProcess = /^(node:)?process$/.test(source.value);
      found ||=
        fromProcess && specifiers.some((one) => one.type === 'ImportSpecifier' && nameOf(one.imported) === 'env');
    },
  }).visit(program);
  return found;
}

function isProcess(node: ESTree.Expression | null): boolean {
  if (node?.type === 'MemberExpression') return nameOf(node.property) === 'process';
  return node?.type === 'Identifier' && node.name === 'process';
}

function picksEnv(properties: ESTree.ObjectPattern['properties']): boolean {
  return properties.some((property) => property.type === 'Property' && nameOf(property.key) === 'env');
}

function nameOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
