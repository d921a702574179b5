const HERE = import.meta.url;

/** A thread loads JavaScript only: where the program runs from TypeScript, as in tests, it gets what was built of the module. */
export function threadModule(module: URL): URL {
  if (!HERE.endsWith('.ts')) return module;
  const root = new URL('../../../', HERE).href;
  return new URL(`${root}dist/${module.href.slice(root.length).replace(/\.ts$/, '.js')}`);
}
