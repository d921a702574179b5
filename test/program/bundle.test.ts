import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from './millrace-process.js';

/** A made-up clone whose compiled files are bundled; what remains of them is the bundle and what lies beside it. */
function bundled(files: Record<string, string>): string {
  const clone = mkdtempSync(join(tmpdir(), 'millrace-bundle-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    writeFileSync(join(clone, name), text);
  }
  node(join(ROOT, 'scripts/bundle.mjs'), join(clone, 'dist'));
  for (const folder of ['src', 'demo']) rmSync(join(clone, 'dist', folder), { recursive: true, force: true });
  return clone;
}

/** The JavaScript of the program. */
function filesOf(clone: string): string[] {
  const folder = join(clone, 'dist/program');
  return readdirSync(folder).flatMap((name) => (name.endsWith('.js') ? join(folder, name) : []));
}

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

it('lets code find files as if it still lay where it was, wherever the clone goes', () => {
  const clone = bundled({
    'dist/src/main.js':
      "import { here } from './deep/place.js';\nimport old from 'old';\nconsole.log(here, old.join(' '));",
    'dist/src/deep/place.js': 'export const here = import.meta.url;',
    'node_modules/old/package.json': '{ "name": "old", "main": "lib/index.js" }',
    'node_modules/old/lib/index.js': "'use strict'\nmodule.exports = [__dirname, __filename];",
  });
  const moved = `${clone}-moved`;
  onTestFinished(() => rmSync(moved, { recursive: true }));
  cpSync(clone, moved, { recursive: true });
  const old = join(moved, 'node_modules/old/lib');
  expect(node(join(moved, 'dist/program/main.js')).trim().split(' ')).toEqual([
    `file://${moved}/dist/src/deep/place.js`,
    old,
    join(old, 'index.js'),
  ]);
});

it('bundles threads with the programs that start them', () => {
  const clone = bundled({
    'dist/src/main.js': `
      import { Worker } from 'node:worker_threads';
      import { word } from './deep/word.js';
      new Worker(new URL('./deep/say.thread.js', import.meta.url)).on('message', (said) => console.log(said === word));`,
    'dist/src/deep/say.thread.js':
      "import { parentPort } from 'node:worker_threads';\nimport { word } from './word.js';\nparentPort.postMessage(word);",
    'dist/src/deep/word.js': "export const word = 'a word that both share';",
  });
  expect(node(join(clone, 'dist/program/main.js'))).toBe('true\n');
});

it('runs modules in their order and keeps names, also where programs share what comes later', () => {
  const main =
    "import './first.js';\nimport { Same, other } from './second.js';\nconsole.log(Same.name, other, Same.seen);";
  const clone = bundled({
    'dist/src/main.js': main,
    'dist/src/cli/millrace.js': "import { Same } from '../second.js';\nconsole.log(Same.name);",
    'dist/src/first.js': "globalThis.first = 'after the first';",
    'dist/src/second.js':
      "import * as twin from './twin.js';\nexport class Same { static seen = globalThis.first; }\nexport const other = twin.Same.name;",
    'dist/src/twin.js': 'export class Same {}',
  });
  expect(node(join(clone, 'dist/program/main.js'))).toBe('Same Same after the first\n');
});

it('shows in stacks where the sources fail', () => {
  const map = { version: 3, sources: ['../../src/main.ts'], names: [], mappings: 'AAUA' };
  const clone = bundled({
    'dist/src/main.js': 'console.log(new Error("for its stack").stack);\n//# sourceMappingURL=main.js.map',
    'dist/src/main.js.map': JSON.stringify(map),
  });
  expect(node('--enable-source-maps', join(clone, 'dist/program/main.js'))).toContain(`${clone}/src/main.ts:11`);
});

it('shows in stacks where packages fail, not the file of ours that was bundled before them', () => {
  const failing =
    "'use strict';\n\nmodule.exports = function fail() {\n  return new Error('for its stack').stack;\n};\n";
  const clone = bundled({
    'dist/src/main.js': "import fail from 'failing';\nimport { name } from './name.js';\nconsole.log(name, fail());",
    'dist/src/name.js': "export const name = 'ours';\n//# sourceMappingURL=name.js.map",
    'dist/src/name.js.map': JSON.stringify({ version: 3, sources: ['../../src/name.ts'], names: [], mappings: 'AAAA' }),
    'node_modules/failing/package.json': '{ "name": "failing", "main": "index.js" }',
    'node_modules/failing/index.js': failing,
  });
  const stack = node('--enable-source-maps', join(clone, 'dist/program/main.js'));
  expect(stack).toContain(`${clone}/node_modules/failing/index.js:4:`);
  expect(stack).toContain(`${clone}/dist/src/main.js:3:`);
});

it('writes Latin characters only, because V8 would store all others of a file in two bytes too', () => {
  const clone = bundled({
    'dist/src/main.js':
      "/* \u2192 */ const caf\u00e9 = '\u2192 \ud83d\ude00'; console.log(caf\u00e9, /^\u2192 ./u.test(caf\u00e9));",
  });
  expect(node(join(clone, 'dist/program/main.js'))).toBe('\u2192 \ud83d\ude00 true\n');
  const wide = filesOf(clone).filter((file) => [...readFileSync(file, 'utf8')].some((sign) => sign > '\u00ff'));
  expect(wide).toEqual([]);
});

it('divides a large program into files that are parsed in little memory', () => {
  const module = (name: string) => `export const ${name} = '${name.repeat(300_000)}';`;
  const clone = bundled({
    'dist/src/main.js': "import { a } from './a.js';\nimport { b } from './b.js';\nconsole.log(a.length + b.length);",
    'dist/src/a.js': module('a'),
    'dist/src/b.js': module('b'),
  });
  expect(node(join(clone, 'dist/program/main.js'))).toBe('600000\n');
  expect(Math.max(...filesOf(clone).map((file) => statSync(file).size))).toBeLessThan(500_000);
});

it('puts the demo into a bundle of its own', () => {
  const clone = bundled({
    'dist/src/main.js': "import { word } from './word.js';\nconsole.log('program', word);",
    'dist/src/word.js': "export const word = 'shared';",
    'dist/demo/demo-millrace.js': "import { word } from '../src/word.js';\nconsole.log('demo', word);",
  });
  expect(node(join(clone, 'dist/demo-program/demo-millrace.js'))).toBe('demo shared\n');
  expect(node(join(clone, 'dist/program/main.js'))).toBe('program shared\n');
  expect(readdirSync(join(clone, 'dist/program')).filter((name) => name.includes('demo'))).toEqual([]);
});

it('refuses two programs of one name', () => {
  const files = { 'dist/src/a/same.thread.js': '', 'dist/src/b/same.thread.js': '' };
  expect(() => bundled(files)).toThrow('two of these have one name');
});
