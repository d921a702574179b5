import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, readSourceTree } from '../architecture/source-tree.js';
import { ROOT } from '../program/millrace-process.js';
import { textOf } from './deploy-files.js';

interface Copy {
  /** The stage that it is copied from, if it is not from the repository. */
  from: string | undefined;
  sources: string[];
  target: string;
}

const stages = textOf('deploy/Dockerfile')
  .split(/^FROM .*$/m)
  .slice(1);
const copiesOf = (stage = ''): Copy[] =>
  [...stage.matchAll(/^COPY (.*)$/gm)].map(([, words = '']) => {
    const [, from] = /--from=(\w+)/.exec(words) ?? [];
    const paths = words.split(' ').filter((word) => !word.startsWith('--'));
    return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
  });
const fromHere = stages.flatMap(copiesOf).filter(({ from }) => !from);

/** Paths in the image, below its folder of Millrace. */
const inImage = copiesOf(stages.at(-1)).flatMap(({ sources, target }) =>
  target === './' ? sources : [target.replace(/\/$/, '')],
);
const program = readSourceTree(ROOT).filter(({ path }) => path.startsWith('src/') && !isTest(path));

describe('the image of deploy/Dockerfile', () => {
  it('is made of files that are there and that .dockerignore lets through', () => {
    const [first, ...others] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    expect(first).toBe('*');
    const copied = fromHere.flatMap(({ sources }) => sources);
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(copied.filter((path) => !others.includes(`!${path}`))).toEqual([]);
  });

  it('holds every file that the program looks for beside its code', () => {
    // `here.includes('/dist/src/') ? '../../package.json' : …`: the first is from where the compiled file lies.
    const sought = program.flatMap(({ path, text }) =>
      [...text.matchAll(/'\/dist\/src\/'\) \? '([^']+)'/g)].map(([, relative = '']) =>
        posix.join('dist', posix.dirname(path), relative).replace(/\/$/, ''),
      ),
    );
    expect(sought).toEqual(expect.arrayContaining(['package.json', 'migrations', 'dist/web']));
    expect(sought.filter((path) => !inImage.includes(path))).toEqual([]);
  });

  it('holds every package that the program imports, for it leaves out those for development', () => {
    const { dependencies } = JSON.parse(textOf('package.json'));
    const imported = program
      .flatMap(({ program: { body } }) => body)
      .filter((statement) => statement.type === 'ImportDeclaration')
      .filter(({ importKind, source }) => importKind !== 'type' && !source.value.startsWith('.'))
      .map(({ source }) => source.value);
    expect(imported).toContain('bullmq');
    const packages = new Set(imported.map((name) => (/^(@[^/]+\/)?[^/]+/.exec(name) ?? [name])[0]));
    expect([...packages].filter((name) => !isBuiltin(name) && !(name in dependencies))).toEqual([]);
  });

  it('starts the program as a user without rights, which Kubernetes can tell by its number', () => {
    const last = stages.at(-1);
    expect(last).toMatch(/^USER 1000:1000$/m);
    const [, entry = 'none'] = /^ENTRYPOINT .*"(dist\/program\/[\w.]+)"\]$/m.exec(last ?? '') ?? [];
    expect(existsSync(join(ROOT, entry))).toBe(true);
    const [, command = 'none'] = /\/millrace\/(dist\/program\/\S+)/.exec(textOf('deploy/millrace')) ?? [];
    expect(existsSync(join(ROOT, command))).toBe(true);
  });
});
