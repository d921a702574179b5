// Ends the servers of a test run and removes its folder (the argument) when the run closes this program's input: at its
// end, or by dying in whatever way. Servers are known by the files below the folder. Vitest and the compiled benchmarks
// both start it, so it is neither TypeScript nor compiled.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2];
const AFTER_DEATH_MS = 2000;
const POLL_MS = 100;
const MAX_POLLS = 50;

const isPostgres = (file) => basename(file) === 'postmaster.pid';
const postgres = () => firstLines(isPostgres);

// Without the closing word the run died, and its worker processes may need a moment to notice.
if (!(await input())) await sleep(AFTER_DEATH_MS);

send(
  'SIGKILL',
  firstLines((file) => file.endsWith('.pid') && !isPostgres(file)),
);

// PostgreSQL, if killed outright, leaves its shared memory behind. It removes its file when it is done.
send('SIGQUIT', postgres());
for (let polls = 0; polls < MAX_POLLS && send(0, postgres()); polls++) await sleep(POLL_MS);
send('SIGKILL', postgres());

for (const name of firstLines((file) => file.endsWith('.container'))) {
  spawnSync('docker', ['rm', '--force', '--volumes', name], { stdio: 'ignore' });
}
rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: POLL_MS });

async function input() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

function firstLines(wanted) {
  return filesBelow(folder)
    .filter(wanted)
    .flatMap((file) => orNothing(() => [readFileSync(file, 'utf8').split('\n')[0].trim()]))
    .filter(Boolean);
}

/** Folders and files may vanish meanwhile, because servers remove theirs as they end. */
function filesBelow(parent) {
  return orNothing(() => readdirSync(parent, { withFileTypes: true })).flatMap((entry) => {
    const path = join(parent, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Returns whether any of the processes was there. */
function send(signal, pids) {
  return pids.flatMap((pid) => orNothing(() => [process.kill(Number(pid), signal)])).length > 0;
}

function orNothing(read) {
  try {
    return read();
  } catch {
    return [];
  }
}
