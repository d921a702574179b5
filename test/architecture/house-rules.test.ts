import { describe, expect, it } from 'vitest';
import { barrels, environmentReaders, importsOfTests, longFiles, vagueFolders } from './house-rules.js';
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
