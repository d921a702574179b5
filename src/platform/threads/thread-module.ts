import { posix } from 'node:path';

const HERE = import.meta.url;
const REPOSITORY = new URL('../../../', HERE).href;

/**
 * A thread loads JavaScript only. Where the program runs from TypeScript, as in tests, the thread gets the built module: those
 * of `src/` lie side by side in `dist/program`, others where the compiler puts them.
 */
export function threadModule(module: URL): URL {
  if (!HERE.endsWith('.ts') || !module.href.startsWith(REPOSITORY)) return module;
  const path = module.href.slice(REPOSITORY.length).replace(/\.ts$/, '.js');
  if (path.startsWith('dist/')) return module;
  return new URL(path.startsWith('src/') ? `dist/program/${posix.basename(path)}` : `dist/${path}`, REPOSITORY);
}
