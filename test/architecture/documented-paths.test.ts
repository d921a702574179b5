import { expect, it } from 'vitest';
import { brokenSteps, readPaths } from './documented-paths.js';
import { madeUpTree } from './made-up-tree.js';

const PAGE = `
## Files on each path

| path | files |
|---|---|
| read | \`a.ts\` → \`b.ts\` ⇢ \`c.ts\` → \`d.ts\` |

## Next
`;

it('reads the files of each path, and which of them a queue leads to', () => {
  const steps = [
    { file: 'src/a.ts', isQueued: false },
    { file: 'src/b.ts', isQueued: false },
    { file: 'src/c.ts', isQueued: true },
    { file: 'src/d.ts', isQueued: false },
  ];
  expect(readPaths(PAGE)).toEqual([{ name: 'read', steps }]);
});

it('names files that do not exist and calls that no earlier file can make', () => {
  const files = madeUpTree({
    'src/a.ts': `import { c } from './c.js';`,
    'src/b.ts': '',
    'src/c.ts': '',
  });
  const [path = { name: '', steps: [] }] = readPaths(PAGE);
  expect(brokenSteps(path, files)).toEqual(['read: no earlier file imports src/b.ts', 'read: src/d.ts does not exist']);
});
