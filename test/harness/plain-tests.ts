import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** What only a process of its own can bear: servers and helpers of test/, programs, threads. */
const NEEDS_A_PROCESS = /from '[^']*\/test\/|child_process|worker_threads|@nestjs/;

/** Tests beside their sources that need nothing but these. A process can run many of them, and load the code once. */
export function plainTests(root: string): string[] {
  return ['src', 'demo', 'tools', 'web/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll(sep, '/')),
      ),
    )
    .filter((path) => path.endsWith('.test.ts') && !NEEDS_A_PROCESS.test(readFileSync(join(root, path), 'utf8')));
}
