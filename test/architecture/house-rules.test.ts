import { describe, expect, it } from 'vitest';
import {
  barrels,
  crowdedFolders,
  environmentReaders,
  importsOfTests,
  jobColumnUsers,
  literalSpreads,
  lonelyAbstractions,
  longFiles,
  superlativeConstants,
  vagueFolders,
} from './house-rules.js';
import { madeUpTree } from './made-up-tree.js';

describe('the house rules', () => {
  it('count a file of 400 lines as short enough and one of 401 as too long', () => {
    const files = madeUpTree({ 'src/a.ts': ';\n'.repeat(400), 'src/b.ts': ';\n'.repeat(401) });
    expect(longFiles(files)).toEqual(['src/b.ts has 401 lines']);
  });

  it.each(['utils', 'common', 'shared', 'types', 'dto', 'constants'])('name a folder %s, at any depth', (name) => {
    const files = madeUpTree({ [`src/auth/${name}/deep/a.ts`]: '', [`src/auth/${name}.ts`]: '' });
    expect(vagueFolders(files)).toEqual([`src/auth/${name}`]);
  });

  it('name a folder of 31 source files, whose tests do not count', () => {
    const names = Array.from({ length: 31 }, (_, at) => `src/full/${at}.ts`);
    const tests = Array.from({ length: 31 }, (_, at) => `src/tested/${at}.test.ts`);
    const files = madeUpTree(Object.fromEntries([...names, ...tests].map((name) => [name, ''])));
    expect(crowdedFolders(files)).toEqual(['src/full has 31 source files']);
  });

  it('name constants that are called by a superlative', () => {
    const files = madeUpTree({
      'src/a.ts': 'const MOST_ITEMS = 1; const LONGEST = 2; const MAX_ITEMS = 3; const MOSTLY = 4;',
    });
    expect(superlativeConstants(files)).toEqual(['src/a.ts declares MOST_ITEMS', 'src/a.ts declares LONGEST']);
  });

  it.each(['const a = { ...{ b, c } };', 'const a = [...[b, c]];'])('name a spread of a literal: %s', (text) => {
    expect(literalSpreads(madeUpTree({ 'src/a.ts': text }))).toEqual(['src/a.ts spreads a literal']);
  });

  it('let a condition decide what is spread', () => {
    expect(literalSpreads(madeUpTree({ 'src/a.ts': 'const a = { ...(b && { c }), ...d };' }))).toEqual([]);
  });

  it('name an abstract class that fewer than two classes extend', () => {
    const files = madeUpTree({
      'src/a.ts': 'export abstract class Gate {} abstract class Shape<T> {} abstract class Unused {}',
      'src/b.ts': 'class Door extends Gate {} class Circle extends Shape<number> {}',
      'demo/c.ts': 'const square = class extends Shape<string> {}; class Plain {} class Other extends Plain {}',
      'demo/d.ts': 'abstract class Fake {} class One extends Fake {}',
      'test/e.ts': 'class StandIn extends Gate {} class Two extends Fake {}',
    });
    expect(lonelyAbstractions(files)).toEqual([
      'src/a.ts declares Gate, which 1 classes extend',
      'src/a.ts declares Unused, which 0 classes extend',
    ]);
  });

  it.each([
    "sql`UPDATE tasks SET job_state = 'done'`;",
    'const isHeld = row.jobFence === fence;',
    'const soon = sql`job_run_at < now()`;',
    'const { jobRunAt } = tasks;',
  ])('name a feature that uses a column of jobs: %s', (text) => {
    const files = madeUpTree({ 'src/auth/a.ts': text });
    expect(jobColumnUsers(files)).toEqual([
      expect.stringMatching(/^src\/auth\/a\.ts names job(_state|Fence|_run|Run)$/),
    ]);
  });

  it('let tables, tests and the folder of jobs name the columns of jobs', () => {
    const text = "sql`job_state = 'waiting' AND job_run = 1`; row.jobFence;";
    const files = madeUpTree({
      'src/platform/jobs/job-rows.ts': text,
      'src/auth/tasks.table.ts': text,
      'src/auth/tasks.test.ts': text,
      'src/auth/a.ts': 'import type { JobRun } from "../platform/jobs/job-handler.js"; sql`job_priority`;',
    });
    expect(jobColumnUsers(files)).toEqual([]);
  });

  it('name a barrel', () => {
    const files = madeUpTree({ 'src/auth/index.ts': '', 'src/auth/index-posts.ts': '' });
    expect(barrels(files)).toEqual(['src/auth/index.ts']);
  });

  it.each([
    'const port = process.env.PORT;',
    'start({ ...process.env });',
    `const port = process['env'].PORT;`,
    'const port = globalThis.process.env.PORT;',
    'const port = process?.env.PORT;',
    'const { env } = process;',
    `import { env } from 'node:process';`,
  ])('name a reader of the environment: %s', (text) => {
    expect(environmentReaders(madeUpTree({ 'src/auth/a.ts': text }))).toEqual(['src/auth/a.ts']);
  });

  it('let the configuration read the environment, and others speak of it', () => {
    const files = madeUpTree({
      'src/platform/config.ts': 'export const port = process.env.PORT;',
      'src/auth/a.ts': `// process.env\nconst text = 'process.env'; other.env;`,
    });
    expect(environmentReaders(files)).toEqual([]);
  });

  it('name an import of a test or of the harness by anything but a test', () => {
    const text = `import '../../test/harness/redis.js'; import './b.test.js';`;
    const files = madeUpTree({ 'src/auth/a.ts': text, 'src/auth/a.test.ts': text });
    expect(importsOfTests(files)).toEqual([
      'src/auth/a.ts imports test/harness/redis.ts',
      'src/auth/a.ts imports src/auth/b.test.ts',
    ]);
  });
});
