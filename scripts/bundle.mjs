// node scripts/bundle.mjs <folder of compiled files>: puts the programs and threads of src/, with the packages that
// they load, into a few files of <folder>/program. The demo and the programs of tests are separate bundles,
// <folder>/demo-program and <folder>/test-program, so that the first one contains nothing of them. Without bundles, a
// start would spend most of its time on loading two thousand small files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

const compiled = resolve(process.argv[2]);

/** Programs that are started by the name of their file. */
const PROGRAMS = /^src\/(main|cli\/millrace|platform\/database\/migrate\.command)\.js$/;
const DEMO = /^demo\/demo-millrace\.js$/;
const THREADS = /^src\/.*\.thread\.js$/;
const TEST_PROGRAMS = /^test\/programs\/.*\.js$|^test\/.*\.process\.js$/;

/** A file is larger only if a single module is. */
const MAX_FILE_BYTES = 500_000;

/** Threads are bundled too, and lie beside the code that starts them. */
const THREAD_ADDRESS = /new URL\((['"])[^'"]*?([^/'"]+\.thread\.js)\1, import\.meta\.url\)/g;
/** A module of the bundle that gives CommonJS code its location. */
const PLACE = 'millrace:place';

await bundle({ started: [PROGRAMS, THREADS], output: join(compiled, 'program') });
if (existsSync(join(compiled, 'demo'))) {
  await bundle({ started: [DEMO, THREADS], output: join(compiled, 'demo-program') });
}
if (existsSync(join(compiled, 'test'))) {
  await bundle({ started: [TEST_PROGRAMS, THREADS], output: join(compiled, 'test-program') });
}

/** All files go into one flat folder, so that relative paths between them do not depend on the chunk. */
async function bundle({ started, output }) {
  const made = await rolldown({
    input: entries(started),
    platform: 'node',
    external: /^node:/,
    // The settings are those of Node, not the alternatives that packages offer to bundlers.
    resolve: { conditionNames: ['node'], mainFields: ['main'] },
    plugins: [
      {
        name: 'places',
        resolveId: { filter: { id: new RegExp(`^${PLACE}$`) }, handler: (id) => id },
        load: { filter: { id: new RegExp(`\\.[cm]?js$|^${PLACE}$`) }, handler: (id) => load(id, output) },
      },
    ],
    // Packages import optional packages and evaluate code, which is their own concern.
    onLog: (level, log, tell) => (isOfPackage(log.id ?? '') ? undefined : tell(level, log)),
  });
  await made.write({
    dir: output,
    format: 'esm',
    keepNames: true,
    // Statements are not merged, because stack traces would name the wrong line. V8 keeps the text of a program in
    // memory, with two bytes for each character if a single one is not Latin.
    minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
    comments: false,
    // reflect-metadata must run before the decorators, in whatever files the two end up.
    strictExecutionOrder: true,
    // V8 needs several times the size of a file to parse it, and the allocator does not give all of that back. What
    // only some programs load stays in files of its own.
    codeSplitting: { groups: [{ name: 'part', entriesAware: true, maxSize: MAX_FILE_BYTES }] },
    // The name of a part lists all programs that load it.
    chunkFileNames: ({ name }) => (name.startsWith('part~') ? 'part-[hash].js' : '[name]-[hash].js'),
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
}

function entries(started) {
  const files = readdirSync(compiled, { recursive: true })
    .map(withSlashes)
    .filter((file) => started.some((those) => those.test(file)));
  const named = Object.fromEntries(files.map((file) => [basename(file, '.js'), join(compiled, file)]));
  if (Object.keys(named).length < files.length) throw new Error(`two of these have one name: ${files.join(', ')}`);
  return named;
}

function load(id, output) {
  if (id === PLACE) {
    const pathOf = '(place) => fileURLToPath(new URL(place, import.meta.url))';
    return `import { fileURLToPath } from 'node:url';\nexport const pathOf = ${pathOf};\n`;
  }
  const from = (path) => JSON.stringify(withSlashes(relative(output, path)));
  const code = withNodePlaces(id, withUrls(id, readFileSync(id, 'utf8'), from), from);
  // Our own files are mapped to their TypeScript. A file of a package without a map is its own source.
  const map = `${id}.map`;
  return !isOfPackage(id) && existsSync(map) ? { code, map: readFileSync(map, 'utf8') } : { code };
}

function isOfPackage(id) {
  return withSlashes(id).includes('/node_modules/');
}

function withSlashes(path) {
  return path.replaceAll(sep, '/');
}

/** Code must find files as if it were in its compiled location or in its package. */
function withUrls(id, code, from) {
  const ofBundle = "import.meta['url']";
  return code
    .replaceAll(THREAD_ADDRESS, (_, _quote, name) => `new URL('./${name}', ${ofBundle})`)
    .replaceAll('import.meta.url', `new URL(${from(id)}, ${ofBundle}).href`);
}

function withNodePlaces(id, code, from) {
  const places = { __dirname: dirname(id), __filename: id };
  const missing = Object.keys(places).filter((name) => isFree(name, code));
  if (missing.length === 0) return code;
  const values = missing.map((name) => `var ${name} = require('${PLACE}').pathOf(${from(places[name])});`);
  return `${values.join('')}${code}`;
}

function isFree(name, code) {
  return code.includes(name) && !new RegExp(`(const|let|var) ${name}\\b`).test(code);
}
