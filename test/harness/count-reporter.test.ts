import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { harnessFile, madeUpProject, VITEST } from './made-up-project.js';

describe('CountReporter', () => {
  it('counts tests, and as failed also what fails outside of a test', async () => {
    const folder = madeUpProject({
      'vitest.config.ts': `import { CountReporter } from ${harnessFile('count-reporter.ts')};
        export default { test: { globals: true, reporters: [new CountReporter('counts.json')] } };`,
      'plain.test.ts': `it('a', () => {}); it('b', () => {}); it('c', () => { throw new Error('c'); });
        it.skip('d', () => {}); it.todo('e');`,
      'does-not-load.test.ts': `import './missing.js'; it('never', () => {});`,
      'syntax.test.ts': `it('never', () => {`,
      'hook.test.ts': `beforeAll(() => { throw new Error('hook'); }); it('skipped by it', () => {});`,
      'hook-of-suite.test.ts': `describe('suite', () => { beforeAll(() => { throw 1; }); it('skipped by it', () => {}); });`,
      'unhandled.test.ts': `it('passes', async () => { void Promise.reject(new Error('unhandled')); });`,
    });

    await new Promise((done) => execFile(process.execPath, [VITEST, 'run'], { cwd: folder }, done));
    const counts = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
    expect(counts).toEqual({ passed: 3, failed: 6, skipped: 4 });
  });
});
