// npm run test:matrix [-- name …]: runs a part of the tests against other versions of what Millrace runs on: RabbitMQ,
// Redis, Valkey and Node.js. They are unpacked into a cache folder, and nothing of the system is changed. What cannot
// be had is skipped. The last line counts the tests of all combinations, and each that was skipped as one.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { NotAvailable, unpackFromDebian } from './debian-programs.mjs';
import { combinations, readCounts, table, totals } from './matrix-combinations.mjs';
import { buildIfNeeded, giveUp, installIfNeeded, root } from './prepare.mjs';
import { runNpm } from './programs.mjs';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'millrace-matrix');

const names = process.argv.slice(2);
const chosen = combinations.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) giveUp(`Unknown combination. There are: ${combinations.map(({ name }) => name).join(', ')}.`);

await installIfNeeded();
await buildIfNeeded({ withTests: true });
mkdirSync(CACHE, { recursive: true });
const results = [];
for (const combination of chosen) results.push(await tryCombination(combination));

process.stdout.write(`\n${table(results)}\n`);
for (const { name, reason } of results) if (reason) process.stdout.write(`Skipped ${name}: ${reason}.\n`);
const { passed, failed, skipped } = totals(results);
process.exitCode = failed > 0 ? 1 : 0;
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);

async function tryCombination({ name, get, tests }) {
  try {
    const programs = get.from === 'debian' ? debianPrograms(get) : nodeProgram(get);
    const { version, node = process.execPath, env = {} } = programs;
    process.stdout.write(`\n${name} (${version})\n`);
    return { name, version, ...(await runTests(node, { ...process.env, ...env }, tests)) };
  } catch (error) {
    if (!(error instanceof NotAvailable)) throw error;
    return { name, version: '–', passed: 0, failed: 0, skipped: 1, reason: error.message };
  }
}

/** Returns the version, and the environment in which the programs are found. */
function debianPrograms({ suite, name, programs }) {
  const { root: unpacked, version } = unpackFromDebian({ suite, name, cache: CACHE });
  const bin = join(CACHE, `${suite}-${name}`, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  for (const [link, target] of Object.entries(programs)) symlinkSync(join(unpacked, target), join(bin, link));
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  const broker = programs['rabbitmq-server'];
  if (broker) env.TEST_RABBITMQ_PROGRAM = join(unpacked, broker);
  return { version, env };
}

/** Returns the version, and the program that runs the tests. */
function nodeProgram({ major }) {
  const folder = join(CACHE, `node-${major}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const installed = join(folder, 'node_modules', name);
  const node = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    process.stderr.write(`Fetching Node.js ${major} …\n`);
    mkdirSync(folder, { recursive: true });
    const requested = `${name}@${major}`;
    const failure = runNpm(folder, ['install', '--prefix', folder, '--no-save', '--loglevel=error', requested]);
    if (failure) throw new NotAvailable(`npm could not install ${requested} (${failure})`);
  }
  return { version: JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version, node };
}

function runTests(node, env, tests) {
  const child = spawn(node, [join(root, 'scripts/test.mjs'), ...tests], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  process.once('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(readCounts(output)));
  });
}
