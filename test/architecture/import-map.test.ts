import { describe, expect, it } from 'vitest';
import { forbiddenImports, readImportMap } from './import-map.js';
import { madeUpTree } from './made-up-tree.js';

const map = readImportMap(`
# Architecture

## Import map

| folder | may import |
|---|---|
| platform | – |
| \`auth\` | platform |
| feeds | platform, auth, fetching (freshness.ts, fetch-page.ts) |
| fetching | platform |
| demo | platform, src (start.ts) |

## Another table

| a | b |
|---|---|
| auth | feeds |
`);

const forbidden = (files: Record<string, string>) => forbiddenImports(madeUpTree(files), map);

describe('the import map', () => {
  it('is read from its table alone', () => {
    expect([...map.keys()]).toEqual(['platform', 'auth', 'feeds', 'fetching', 'demo']);
    expect(map.get('auth')).toEqual([{ folder: 'platform' }]);
  });

  it('must be there', () => {
    expect(() => readImportMap('# Architecture\n\nNo table.')).toThrow('no table');
    expect(() => readImportMap('## Import map\n\nComing.\n')).toThrow('no table');
  });

  it('lets a file import its own folder, what its row names, and packages', () => {
    const text = `import a from './other.js'; import b from '../platform/clock.js'; import c from 'pg';`;
    expect(forbidden({ 'src/auth/users.ts': text })).toEqual([]);
  });

  it.each([
    ['a plain import', `import { feed } from '../feeds/feed.js';`],
    ['a type import', `import type { Feed } from '../feeds/feed.js';`],
    ['an import for its effects', `import '../feeds/feed.js';`],
    ['an import over several lines', `import {\n  feed,\n} from '../feeds/feed.js';`],
    ['a re-export', `export { feed } from '../feeds/feed.js';`],
    ['a re-export of everything', `export * from '../feeds/feed.js';`],
    ['a dynamic import', `const feed = await import('../feeds/feed.js');`],
    ['the type of an import', `type Feed = import('../feeds/feed.js').Feed;`],
    ['a detour through another folder', `import { feed } from '../auth/../feeds/feed.js';`],
  ])('sees %s', (_, text) => {
    expect(forbidden({ 'src/auth/users.ts': text })).toEqual(['src/auth/users.ts may not import src/feeds/feed.ts']);
  });

  it('takes comments and strings for what they are', () => {
    const text = `// import '../feeds/feed.js'\nconst s = "import '../feeds/feed.js'";`;
    expect(forbidden({ 'src/auth/users.ts': text })).toEqual([]);
  });

  it('opens a folder only at the doors it names', () => {
    const files = {
      'src/feeds/door.ts': `import '../fetching/freshness.js'; import '../fetching/fetch-page.js';`,
      'src/feeds/wall.ts': `import '../fetching/fetch.worker.js';`,
      'src/feeds/cellar.ts': `import '../fetching/fetchers/freshness.js';`,
    };
    expect(forbidden(files)).toEqual([
      'src/feeds/wall.ts may not import src/fetching/fetch.worker.ts',
      'src/feeds/cellar.ts may not import src/fetching/fetchers/freshness.ts',
    ]);
  });

  it('keeps platform from importing a feature', () => {
    expect(forbidden({ 'src/platform/jobs/jobs.ts': `import '../../auth/users.js';` })).toEqual([
      'src/platform/jobs/jobs.ts may not import src/auth/users.ts',
    ]);
  });

  it('lets main and the module list import everything, and nobody import them', () => {
    const files = {
      'src/main.ts': `import './app.module.js'; import './feeds/feed.js';`,
      'src/app.module.ts': `import './auth/users.js';`,
      'src/auth/users.ts': `import '../app.module.js';`,
    };
    expect(forbidden(files)).toEqual(['src/auth/users.ts may not import src/app.module.ts']);
  });

  it('keeps all of src from importing the demo and the tools', () => {
    const files = {
      'src/main.ts': `import '../demo/world.js';`,
      'src/auth/users.ts': `import '../../tools/render.js';`,
    };
    expect(forbidden(files)).toEqual([
      'src/main.ts may not import demo/world.ts',
      'src/auth/users.ts may not import tools/render.ts',
    ]);
  });

  it('lets the demo import what its row names, files of src itself included', () => {
    const files = {
      'demo/start.ts': `import './world.js'; import '../src/platform/clock.js'; import '../src/start.js';`,
      'demo/sites/site.ts': `import '../../src/main.js'; import '../../src/auth/users.js';`,
    };
    expect(forbidden(files)).toEqual([
      'demo/sites/site.ts may not import src/main.ts',
      'demo/sites/site.ts may not import src/auth/users.ts',
    ]);
  });

  it('wants a row for every folder', () => {
    expect(forbidden({ 'src/gossip/talk.ts': '' })).toEqual([
      'src/gossip/talk.ts: the import map has no row for gossip',
    ]);
  });
});
