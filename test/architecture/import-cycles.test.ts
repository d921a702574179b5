import { describe, expect, it } from 'vitest';
import { importCycles } from './import-cycles.js';
import { madeUpTree } from './made-up-tree.js';

describe('import cycles', () => {
  it('are none where imports only go down, even to one file by two ways', () => {
    const files = madeUpTree({
      'src/a.ts': `import './b.js'; import './c.js';`,
      'src/b.ts': `import './d.js';`,
      'src/c.ts': `import './d.js';`,
      'src/d.ts': `import 'pg';`,
    });
    expect(importCycles(files)).toEqual([]);
  });

  it('are found over several files and folders, also through types', () => {
    const files = madeUpTree({
      'src/start.ts': `import './x/a.js';`,
      'src/x/a.ts': `import type { B } from '../y/b.js';`,
      'src/y/b.ts': `export * from './c.js';`,
      'src/y/c.ts': `const a = await import('../x/a.js');`,
    });
    expect(importCycles(files)).toEqual(['src/x/a.ts → src/y/b.ts → src/y/c.ts → src/x/a.ts']);
  });

  it('are found where a file imports itself', () => {
    expect(importCycles(madeUpTree({ 'src/a.ts': `import './a.js';` }))).toEqual(['src/a.ts → src/a.ts']);
  });
});
