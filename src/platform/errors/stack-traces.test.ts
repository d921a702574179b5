import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { findOriginals, nameSourcesInStackTraces } from './stack-traces.js';

function ownStackTraces(): void {
  const before = Error.prepareStackTrace;
  onTestFinished(() => {
    Error.prepareStackTrace = before;
  });
  nameSourcesInStackTraces();
}

function stackOf(code: string, map?: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-stack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.js');
  if (map) writeFileSync(`${file}.map`, JSON.stringify(map));
  const stack: string = runInThisContext(code, { filename: pathToFileURL(file).href });
  return stack.replaceAll(folder, 'FOLDER');
}

it('finds the last mapping at or before a position of its line', () => {
  // Line 0: column 0 is 10:0 of source 0, column 4 is 10:6 of source 1. Line 1 has none. Line 2: column 2 is 12:3.
  const mappings = 'AAUA,ICAM;;EAEH';
  const wanted = [
    { line: 0, column: 3 },
    { line: 0, column: 4 },
    { line: 0, column: 90 },
    { line: 1, column: 0 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
  ];
  const found = findOriginals(mappings, wanted);
  expect(wanted.map((position) => found.get(position))).toEqual([
    { source: 0, line: 10, column: 0 },
    { source: 1, line: 10, column: 6 },
    { source: 1, line: 10, column: 6 },
    undefined,
    undefined,
    { source: 1, line: 12, column: 3 },
  ]);
});

it('names the sources of files that have a map, with the functions as they are', () => {
  ownStackTraces();
  const code = '(function fail() { return new TypeError("no luck"); }\n)().stack';
  const stack = stackOf(code, { version: 3, sources: ['src/fail.ts'], names: [], mappings: 'AAUA;AAEA' });
  expect(stack.split('\n').slice(0, 3)).toEqual([
    'TypeError: no luck',
    '    at fail (FOLDER/src/fail.ts:11:1)',
    '    at FOLDER/src/fail.ts:13:1',
  ]);
});

it.each([
  ['no map', undefined],
  ['a broken map', { version: 3 }],
])('names the file itself if it has %s', (_, map) => {
  ownStackTraces();
  const stack = stackOf('\nnew Error("as it is").stack', map);
  expect(stack).toMatch(/^Error: as it is\n {4}at file:\/\/FOLDER\/program\.js:2:\d+/);
});

it('does not fail for what is no error', () => {
  ownStackTraces();
  const failing: { stack?: string } = Object.defineProperty({}, 'name', {
    get: () => {
      throw new Error('no name');
    },
  });
  Error.captureStackTrace(failing);
  expect(failing.stack).toMatch(/^<error>\n {4}at /);
});
