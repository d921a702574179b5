// npm test [-- vitest arguments]: installs, builds and starts what the tests need, and runs them once. With --faults it
// runs the long tests of test/faults. The last line always counts the tests.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, giveUp, installIfNeeded, root } from './prepare.mjs';
import { installedProgram } from './programs.mjs';

const faults = process.argv.includes('--faults');
const args = process.argv.slice(2).filter((arg) => arg !== '--faults');
const folder = mkdtempSync(join(tmpdir(), 'millrace-counts-'));
const countsFile = join(folder, 'counts.json');

process.on('exit', (code) => {
  const { passed, failed, skipped } = readCounts();
  const broken = code !== 0 && failed === 0 ? 1 : 0;
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${passed} passed, ${failed + broken} failed, ${skipped} skipped\n`);
});

await installIfNeeded();
await buildIfNeeded({ withTests: true });
await installServices();
process.exitCode = await runVitest(faults ? ['--mode', 'faults', ...args] : args);

/** Ends the process with a message if a service that many tests need is not available. */
async function installServices() {
  const file = join(root, 'dist', 'test', 'harness', 'servers', 'install-services.js');
  const { installServices: install, TEST_SERVICES } = await import(pathToFileURL(file).href);
  const missing = install(TEST_SERVICES);
  if (missing) giveUp(missing);
}

function runVitest(vitestArgs) {
  const program = installedProgram(join(root, 'node_modules'), 'vitest');
  const vitest = spawn(process.execPath, [program, 'run', ...vitestArgs], {
    cwd: root,
    env: { ...process.env, TEST_COUNTS_FILE: countsFile },
    stdio: 'inherit',
  });
  // A terminal sends Ctrl+C to vitest itself, but other senders may know only this process.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => vitest.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    vitest.on('error', reject);
    vitest.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function readCounts() {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
