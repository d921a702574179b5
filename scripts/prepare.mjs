// Prepares a clone: installs packages, compiles and bundles TypeScript, and builds the page. It needs only Node and
// npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withBuildLock } from './build-lock.mjs';
import { installedProgram, runNpm } from './programs.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MIN_NODE = { major: 20, minor: 19 };
const MODULES = join(root, 'node_modules');
const DIST = join(root, 'dist');
const LOCK = join(DIST, '.lock');
const INSTALLED = join(MODULES, '.millrace-installed');
/** The folder is beside dist/ at the same depth, so that paths in source maps stay valid when a folder is moved. */
const STAGING = join(root, 'dist-building');

const PROGRAM = {
  project: 'tsconfig.build.json',
  folders: ['src', 'demo', 'tools'],
  outputs: ['src', 'demo', 'tools', 'program', 'demo-program'],
  stamp: join(DIST, '.built-program'),
};
const EVERYTHING = {
  project: 'tsconfig.json',
  folders: [...PROGRAM.folders, 'test', 'bench'],
  outputs: [...PROGRAM.outputs, 'test', 'bench', 'test-program'],
  stamp: join(DIST, '.built-everything'),
};

const PAGE = { folders: ['web'], outputs: ['web'], stamp: join(DIST, '.built-page') };

/** Other files on which the result of a build depends. */
const SETTINGS = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/bundle.mjs'];

const MAX_MOVE_ATTEMPTS = 50;

requireNode();

/** Runs `npm ci` if the packages are not those of package-lock.json. */
export async function installIfNeeded() {
  if (isInstalled()) return;
  await withBuildLock(LOCK, () => {
    if (!isInstalled()) install();
  });
}

/**
 * Builds the page and compiles `src`, `demo` and `tools`, and with tests also `test` and `bench`, if they differ from
 * the sources of dist/. Missing folders are left out, because the Docker image has only `src`.
 */
export async function buildIfNeeded({ withTests }) {
  const wanted = withTests ? EVERYTHING : PROGRAM;
  if (isBuilt(wanted) && isBuilt(PAGE)) return;
  await withBuildLock(LOCK, () => {
    if (!isBuilt(PAGE)) buildPage();
    if (!isBuilt(wanted)) build(wanted);
  });
}

/** Runs a command of an installed package and returns its exit code. */
export function runInstalled(name, args) {
  const { status, error } = spawnSync(process.execPath, [installedProgram(MODULES, name), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) giveUp(`Could not run ${name}: ${error.message}`);
  return status;
}

/** Ends the process with a message instead of a stack trace. */
export function giveUp(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor)) return;
  giveUp(`Millrace needs Node.js ${MIN_NODE.major}.${MIN_NODE.minor} or newer; this is ${process.versions.node}.`);
}

function isInstalled() {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === packagesHash();
}

function install() {
  process.stderr.write('Installing packages (npm ci) …\n');
  rmSync(INSTALLED, { force: true });
  // Without --include=dev the compiler would not be installed if NODE_ENV is production.
  const failure = runNpm(root, ['ci', '--include=dev', '--loglevel=error']);
  if (failure) {
    giveUp(`Could not install the packages (${failure}). The first start needs a connection to the npm registry.`);
  }
  writeFileSync(INSTALLED, packagesHash());
}

/** Packages contain binaries, so node_modules from another system count as missing. */
function packagesHash() {
  const packages = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(packages).digest('hex');
}

function isBuilt({ folders, stamp, outputs }) {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourcesHash(folders)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  // A compiler that was run by hand also writes to dist/, possibly from other sources.
  const files = outputs.flatMap((folder) => filesBelow(join(DIST, folder)));
  return files.every((file) => statSync(file).mtimeMs <= builtAt);
}

function build({ project, folders, outputs }) {
  process.stderr.write(folders.includes('test') ? 'Building Millrace and its tests …\n' : 'Building Millrace …\n');
  const programHash = sourcesHash(PROGRAM.folders);
  const everythingHash = sourcesHash(EVERYTHING.folders);
  rmSync(STAGING, { recursive: true, force: true });
  const status = runInstalled('tsc', [
    '-p',
    project,
    '--outDir',
    STAGING,
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
  ]);
  if (status !== 0) giveUp('Could not build Millrace; see the output of the compiler above.');
  bundle();
  for (const stale of [PROGRAM.stamp, EVERYTHING.stamp, join(DIST, '.tsbuildinfo'), join(DIST, '.tsbuildinfo-build')]) {
    rmSync(stale, { force: true });
  }
  putInPlace(outputs);
  writeFileSync(PROGRAM.stamp, programHash);
  if (folders.includes('test')) writeFileSync(EVERYTHING.stamp, everythingHash);
}

function bundle() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs'), STAGING], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) giveUp('Could not bundle Millrace; see the output of Rolldown above.');
}

function buildPage() {
  process.stderr.write('Building the page …\n');
  const pageHash = sourcesHash(PAGE.folders);
  rmSync(STAGING, { recursive: true, force: true });
  rmSync(PAGE.stamp, { force: true });
  const [output] = PAGE.outputs;
  const status = runInstalled('vite', [
    'build',
    '--config',
    'web/vite.config.js',
    '--outDir',
    join(STAGING, output),
    '--logLevel',
    'warn',
  ]);
  if (status !== 0) giveUp('Could not build the page; see the output of Vite above.');
  putInPlace(PAGE.outputs);
  writeFileSync(PAGE.stamp, pageHash);
}

/**
 * Swaps whole folders, so that no output of a deleted source remains and no folder is ever seen half written.
 */
function putInPlace(folders) {
  const replaced = join(STAGING, 'replaced');
  mkdirSync(replaced, { recursive: true });
  for (const folder of folders) {
    if (existsSync(join(DIST, folder))) move(join(DIST, folder), join(replaced, folder));
    if (existsSync(join(STAGING, folder))) move(join(STAGING, folder), join(DIST, folder));
  }
  rmSync(STAGING, { recursive: true, force: true });
}

/** On Windows a virus scanner may hold new files open for a moment, and their folder cannot be moved meanwhile. */
function move(from, to) {
  for (let attempt = 1; ; attempt++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (process.platform !== 'win32' || attempt === MAX_MOVE_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

function sourcesHash(folders) {
  const hash = createHash('sha256');
  const settings = SETTINGS.map((name) => join(root, name));
  for (const file of [...settings, ...folders.flatMap((folder) => filesBelow(join(root, folder)))]) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
