import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Imports that need a process of their own: servers and helpers of test/, programs, threads. */
const NEEDS_A_PROCESS = /from '[^']*\/test\/|child_process|worker_threads|@nestjs/;

/** Tests beside their sources that need none of these. One process runs many of them and loads the code once. */
export function plainTests(root: string): string[] {
  return ['src', 'demo', 'tools', 'web/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll(sep, '/')),
      ),
    )
    .filter((path) => path.endsWith('.test.ts') && !NEEDS_A_PROCESS.test(readFileSync(join(root, path), 'utf8')));
}
