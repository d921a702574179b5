import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isRunning } from '../../src/platform/data-folder/running-process.js';
import { harnessFile, madeUpProject, VITEST } from './made-up-project.js';

const WAIT_OPTIONS = { timeout: 50_000, interval: 100 };

describe('a test run', () => {
  it('leaves no server and no file behind', async () => {
    const run = await startRun(`it('waits to be seen', () => new Promise((done) => setTimeout(done, 500)));`);
    await once(run.vitest, 'exit');
    expect(run.vitest.exitCode).toBe(0);
    expect(existsSync(run.folder)).toBe(false);
    expect(await stillRunning(run.pids)).toEqual([]);
  }, 60_000);

  it('leaves none behind when it is killed in the middle', async () => {
    const run = await startRun(`it('hangs', () => new Promise(() => {}));`);
    run.vitest.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(run.folder)).toBe(false), WAIT_OPTIONS);
    await vi.waitFor(async () => expect(await stillRunning(run.pids)).toEqual([]), WAIT_OPTIONS);
  }, 60_000);
});

/** Starts a test run beside this one, with servers of its own, and comes back when they are up. */
async function startRun(test: string): Promise<{ vitest: ChildProcess; folder: string; pids: number[] }> {
  const project = madeUpProject({
    'vitest.config.ts': `export default { test: { globals: true, globalSetup: [${harnessFile('global-setup.ts')}, './tell.ts'] } };`,
    'tell.ts': `import { writeFileSync } from 'node:fs';
      export const setup = (project) => writeFileSync('run-folder', project.getProvidedContext().runFolder + '\\n');`,
    'one.test.ts': test,
  });
  const env = { ...process.env, TEST_DATABASE_URL: '' };
  const vitest = spawn(process.execPath, [VITEST, 'run'], { cwd: project, env, stdio: 'ignore' });
  const folder = await vi.waitFor(() => readFileSync(join(project, 'run-folder'), 'utf8').trimEnd(), WAIT_OPTIONS);
  const pids = pidFiles(folder).map((file) => Number(readFileSync(file, 'utf8').split('\n')[0]));
  expect(await stillRunning(pids)).not.toEqual([]);
  return { vitest, folder, pids };
}

function pidFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.pid')).map((name) => join(folder, name));
  expect(files.map((file) => file.split('/').at(-1))).toContain('postmaster.pid');
  return files;
}

async function stillRunning(pids: number[]): Promise<number[]> {
  const running = await Promise.all(pids.map(isRunning));
  return pids.filter((_, index) => running[index]);
}
