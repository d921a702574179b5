// What the scripts run, in a form that every system can start. On Windows `npm` and the programs of node_modules/.bin are
// .cmd files, which need a shell. So the scripts run the JavaScript behind them with this Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

const PACKAGES = { biome: '@biomejs/biome', tsc: 'typescript', vite: 'vite', vitest: 'vitest' };

/** The JavaScript file of a program of an installed package. */
export function installedProgram(modules, name) {
  const folder = join(modules, PACKAGES[name]);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, bin[name]);
}

/**
 * The command and the first arguments of npm: the npm that runs this script, or else the one that was installed with
 * Node. Other package managers set `npm_execpath` to themselves.
 */
export function npmCommand({ platform, execPath, npmExecpath, exists = existsSync }) {
  const path = platform === 'win32' ? win32 : posix;
  const folder = path.dirname(execPath);
  const modules = platform === 'win32' ? path.join(folder, 'node_modules') : path.join(folder, '../lib/node_modules');
  const files = [npmExecpath ?? '', path.join(modules, 'npm/bin/npm-cli.js')];
  const file = files.find((candidate) => path.basename(candidate) === 'npm-cli.js' && exists(candidate));
  return file ? [execPath, file] : ['npm'];
}

/** Runs npm in a folder, and returns why it failed, if it did. Its errors are shown. */
export function runNpm(cwd, args) {
  const { platform, execPath, env } = process;
  const [npm, ...first] = npmCommand({ platform, execPath, npmExecpath: env.npm_execpath });
  const { status, error } = spawnSync(npm, [...first, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return undefined;
  return error ? error.message : 'see the output of npm above';
}

/** Ends a program and those that it has started. On POSIX it must lead a process group. */
export function endWithChildren({ pid }, platform = process.platform) {
  if (platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
  else process.kill(-pid, 'SIGTERM');
}
