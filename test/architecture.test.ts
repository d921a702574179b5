import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { brokenSteps, readPaths } from './architecture/documented-paths.js';
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
} from './architecture/house-rules.js';
import { importCycles } from './architecture/import-cycles.js';
import { forbiddenImports, readImportMap } from './architecture/import-map.js';
import { readSourceTree } from './architecture/source-tree.js';
import { unusedExports } from './architecture/unused-exports.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readSourceTree(root);
const users = readSourceTree(root, ['test', 'bench']);
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const map = readImportMap(architecture);
const paths = readPaths(architecture);
/** The number of files on each path. Think twice before one grows. */
const FILES_ON_PATH = { fetch: 9, read: 4, publish: 13, import: 13, scrape: 9, alert: 7 };

describe('the source tree', () => {
  it('is there to be checked', () => {
    expect(files.map(({ path }) => path)).toContain('src/platform/config.ts');
  });

  it('imports only what the import map of docs/architecture.md allows', () => {
    expect(forbiddenImports(files, map)).toEqual([]);
  });

  it('lets platform import no feature', () => {
    expect(map.get('platform')).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it('reads the environment in src/platform/config.ts alone', () => {
    expect(environmentReaders(files)).toEqual([]);
  });

  it('imports tests and their harness from tests alone', () => {
    expect(importsOfTests(files)).toEqual([]);
  });

  it('has no file of more than 400 lines', () => {
    expect(longFiles(files)).toEqual([]);
  });

  it('has no folder of more than 30 source files', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  it('calls limits MAX_ and MIN_', () => {
    expect(superlativeConstants(files)).toEqual([]);
  });

  it('spreads no literals', () => {
    expect(literalSpreads(files)).toEqual([]);
  });

  it('extends every abstract class at least twice', () => {
    expect(lonelyAbstractions([...files, ...users])).toEqual([]);
  });

  it('exports nothing that nobody imports', () => {
    expect(unusedExports(files, users)).toEqual([]);
  });

  it('names the columns that make jobs safe in src/platform/jobs and in tables alone', () => {
    expect(jobColumnUsers(files)).toEqual([]);
  });

  it('has no folder whose name says nothing', () => {
    expect(vagueFolders(files)).toEqual([]);
  });

  it('has no barrels', () => {
    expect(barrels(files)).toEqual([]);
  });

  it('is called along the paths of docs/architecture.md', () => {
    expect(Object.fromEntries(paths.map(({ name, steps }) => [name, steps.length]))).toEqual(FILES_ON_PATH);
    expect(paths.flatMap((path) => brokenSteps(path, files))).toEqual([]);
  });
});
