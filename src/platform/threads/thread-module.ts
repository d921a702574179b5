const HERE = import.meta.url;
const SOURCES = new URL('../../', HERE).href;

/** A thread loads JavaScript only: where the program runs from TypeScript, as in tests, it gets what was built of the module. */
export function threadModule(module: URL): URL {
  if (!HERE.endsWith('.ts') || !module.href.startsWith(SOURCES)) return module;
  const name = module.href.slice(module.href.lastIndexOf('/') + 1).replace(/\.ts$/, '.js');
  return new URL(`../dist/program/${name}`, SOURCES);
}
