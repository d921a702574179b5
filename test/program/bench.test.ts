import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { progress } from '../../bench/harness/progress.js';

const BENCH = fileURLToPath(new URL('../../dist/bench/bench.js', import.meta.url));
const NAMES = 'queue start memory feed scheduler rpc import publish fetch peer freshness scale';

interface Ended {
  code: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** Neither Redis nor apt-get nor Docker nor Miniflux is on this PATH. */
function bench(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: '/nowhere', ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [BENCH, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

describe('npm run bench', () => {
  it('lists the benchmarks when asked for help, also after a name', async () => {
    for (const args of [['--help'], ['-h'], ['queue', '--help']]) {
      const { code, stdout } = await bench(args);
      expect(code).toBe(0);
      for (const name of NAMES.split(' ')) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  it('prints its usage without a name, and names one that it does not know', async () => {
    const without = await bench([]);
    expect(without).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: /) });
    const unknown = await bench(['queue', 'constructor']);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unknown benchmark `constructor`\.\n\nUsage: /),
    });
  });

  it('says in one sentence which service is missing and how to get it', async () => {
    const { code, stderr } = await bench(['queue']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^This benchmark needs redis: install it .*redis-server.* or set TEST_REDIS_URL\.\n$/);
  });

  it('says how to get Miniflux, and does so only if everything else is there', async () => {
    const { code, stderr } = await bench(['peer'], { TEST_REDIS_URL: 'redis://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(stderr).toContain('This benchmark needs a `miniflux` program');
    expect(stderr).not.toContain('    at ');
  });

  it('asks for no service that the benchmark does not use', async () => {
    const { stderr } = await bench(['freshness', '--world', 'nosuch', '--out', '/nowhere/world']);
    expect(stderr).not.toContain('needs');
  });
});

describe('the progress of a benchmark', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is a line for each phase, repeated while the phase lasts', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    progress('round 1 of 2');
    vi.advanceTimersByTime(31_000);
    progress('round 2 of 2');
    vi.advanceTimersByTime(1_000);
    expect(lines.map((line) => line.replace(/^ *\d+ s {2}/, ''))).toEqual([
      'round 1 of 2\n',
      'still running: round 1 of 2\n',
      'still running: round 1 of 2\n',
      'round 2 of 2\n',
    ]);
  });
});
