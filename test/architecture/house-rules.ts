import { type ESTree, Visitor } from 'vite';
import { importsOf } from './imports-of.js';
import { isTest, type SourceFile } from './source-tree.js';

const MAX_FILE_LINES = 400;
const CONFIGURATION = 'src/platform/config.ts';
/** Source files in one folder, tests aside. */
const MAX_FILES_IN_FOLDER = 30;
/** Subclasses that an abstract class needs. */
const MIN_SUBCLASSES = 2;
const SUPERLATIVES = /^(MOST|LONGEST|LARGEST|DEEPEST|LEAST|SHORTEST|FEWEST|SMALLEST)(_|$)/;
const JOB_FOLDER = 'src/platform/jobs/';
const JOB_COLUMNS = /\bjob(_state|_fence|_run|State|Fence|Run)/;
const VAGUE_FOLDERS = ['utils', 'common', 'shared', 'types', 'dto', 'constants'];

/** A rule lists what breaks it, one line each. */
type Rule = (files: readonly SourceFile[]) => string[];

export const longFiles: Rule = (files) =>
  files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_FILE_LINES)
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

export const crowdedFolders: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (isTest(path)) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const crowded = [...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER);
  return crowded.map(([folder, count]) => `${folder} has ${count} source files`);
};

/** Limits are called `MAX_…` and `MIN_…`. */
export const superlativeConstants: Rule = (files) =>
  files.flatMap(({ path, program }) => {
    const found: string[] = [];
    new Visitor({
      VariableDeclarator: ({ id }) => {
        if (id.type === 'Identifier' && SUPERLATIVES.test(id.name)) found.push(`${path} declares ${id.name}`);
      },
    }).visit(program);
    return found;
  });

/** `...{ a, b }` and `...[a, b]` only keep lines short: their members can stand there themselves. */
export const literalSpreads: Rule = (files) =>
  files.flatMap(({ path, program }) => {
    const found: string[] = [];
    const note = () => found.push(`${path} spreads a literal`);
    new Visitor({
      ObjectExpression: ({ properties }) => {
        if (properties.some((one) => one.type === 'SpreadElement' && one.argument.type === 'ObjectExpression')) note();
      },
      ArrayExpression: ({ elements }) => {
        if (elements.some((one) => one?.type === 'SpreadElement' && one.argument.type === 'ArrayExpression')) note();
      },
    }).visit(program);
    return found;
  });

/** An abstract class needs two subclasses. For one in `src/`, a stand-in of the tests is no second implementation. */
export const lonelyAbstractions: Rule = (files) => {
  const declared: { path: string; name: string }[] = [];
  const subclasses: { path: string; of: string }[] = [];
  const note = (path: string, { abstract, id, superClass }: ESTree.Class) => {
    if (abstract && id) declared.push({ path, name: id.name });
    if (superClass?.type === 'Identifier') subclasses.push({ path, of: superClass.name });
  };
  for (const { path, program } of files)
    new Visitor({
      ClassDeclaration: (node) => note(path, node),
      ClassExpression: (node) => note(path, node),
    }).visit(program);
  return declared
    .map(({ path, name }) => {
      const counts = (file: string) => !path.startsWith('src/') || !(file.startsWith('test/') || isTest(file));
      return { path, name, count: subclasses.filter((one) => one.of === name && counts(one.path)).length };
    })
    .filter(({ count }) => count < MIN_SUBCLASSES)
    .map(({ path, name, count }) => `${path} declares ${name}, which ${count} classes extend`);
};

/** The columns that make jobs safe: their state, run and fence. All SQL about them stands in one folder. */
export const jobColumnUsers: Rule = (files) =>
  files
    .filter(({ path }) => !path.startsWith(JOB_FOLDER) && !path.endsWith('.table.ts') && !isTest(path))
    .flatMap(({ path, text }) => {
      const [name] = JOB_COLUMNS.exec(text) ?? [];
      return name === undefined ? [] : [`${path} names ${name}`];
    });

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
