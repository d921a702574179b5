import { expect, it } from 'vitest';
import { madeUpTree } from './made-up-tree.js';
import { unusedExports } from './unused-exports.js';

const exporter = `export const a = 1; export function b() {} export class C {} export interface D {} export type E = D;
  const f = 2; export { f as g };`;

it('names values and types that nobody imports', () => {
  const files = madeUpTree({
    'src/x.ts': exporter,
    'src/y.ts': `import { a, type D } from './x.js'; export { b } from './x.js';`,
    'src/z.ts': `import { b } from './y.js';`,
  });
  expect(unusedExports(files, [])).toEqual([
    'src/x.ts exports C, which nobody imports',
    'src/x.ts exports E, which nobody imports',
    'src/x.ts exports g, which nobody imports',
  ]);
});

it('counts what tests import, whole modules and imports at run time as uses', () => {
  const files = madeUpTree({
    'src/x.ts': exporter,
    'src/y.ts': 'export const h = 1;',
    'src/z.ts': 'export const i = 1;',
  });
  const tests = madeUpTree({
    'test/t.ts': `import * as x from '../src/x.js'; await import('../src/y.js'); import { i } from '../src/z.js';`,
  });
  expect(unusedExports(files, tests)).toEqual([]);
});
