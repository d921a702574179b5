import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const KIT = join(import.meta.dirname, '../../workers/python');
const MODULE_MS = 240_000;

const End = z.object({ id: z.string(), outcome: z.enum(['passed', 'failed', 'skipped']), detail: z.string() });
export type End = z.infer<typeof End>;

/** Every test of the kit, by module. */
export function pythonTests(python: string): Map<string, string[]> {
  const listed = execFileSync(python, ['-m', 'tests.report', '--list'], { cwd: KIT, encoding: 'utf8' });
  const modules = new Map<string, string[]>();
  for (const id of z.array(z.string()).min(1).parse(JSON.parse(listed))) {
    const module = id.split('.').slice(0, 2).join('.');
    modules.set(module, [...(modules.get(module) ?? []), id]);
  }
  return modules;
}

/** The result of each test of a module, and the rest of Python's output. */
export async function runModule(python: string, module: string, env: NodeJS.ProcessEnv) {
  const options = { cwd: KIT, env: { ...process.env, ...env }, timeout: MODULE_MS, maxBuffer: 100_000_000 };
  const { stdout, stderr } = await promisify(execFile)(python, ['-m', 'tests.report', module], options).catch(
    // A failed test also makes it exit with 1. Its report shows which one.
    (error: { stdout: string; stderr: string; message: string }) => ({
      ...error,
      stderr: error.stderr || error.message,
    }),
  );
  const lines = stdout.split('\n').filter(Boolean);
  const ends = lines.map((line) => End.parse(JSON.parse(line)));
  return { ends: new Map(ends.map((end) => [end.id, end])), output: stderr };
}

/** `tests.test_worker.WorkerTest.test_works_on_a_quorum_queue` becomes "works on a quorum queue". */
export function inWords(id: string): string {
  return id
    .slice(id.lastIndexOf('.') + 1)
    .replace(/^test_/, '')
    .replaceAll('_', ' ');
}
