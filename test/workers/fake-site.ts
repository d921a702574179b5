import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pythonProgram } from './python.js';
import { ROOT } from './worker-program.js';

interface Seen {
  requests: { path: string; query: Record<string, string> }[];
  accounts: Record<string, string[]>;
}

export interface FakeSite {
  readonly url: string;
  /** All requests, and the ids of every account's posts, newest first. */
  seen(): Promise<Seen>;
  control(orders: object): Promise<void>;
}

/** The site of `workers/python/tests` from which the included workers fetch. */
export async function startFakeSite(module: string, { accounts = 1, posts = 1 } = {}): Promise<FakeSite> {
  const args = ['-m', `tests.${module}`, '--port', '0', '--accounts', `${accounts}`, '--posts', `${posts}`];
  const child = spawn(pythonProgram(), args, {
    cwd: join(ROOT, 'workers/python'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), once(child, 'exit')]);
  const url = String(line).split('\n')[0] ?? '';
  if (!URL.canParse(url)) throw new Error(`the fake site did not start: ${line}`);
  return {
    url,
    seen: async () => (await fetch(`${url}/control`)).json() as Promise<Seen>,
    async control(orders) {
      const { ok, status } = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(orders) });
      if (!ok) throw new Error(`the fake site answered ${status}`);
    },
  };
}
