import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` while no other process of this clone installs or builds, and waits for one that does. */
export async function withBuildLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  while (!tryLock(path)) await sleep(100);
  const unlock = () => rmSync(path, { force: true });
  process.once('exit', unlock);
  try {
    work();
  } finally {
    process.removeListener('exit', unlock);
    unlock();
  }
}

function tryLock(path) {
  const mine = `${path}-${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeIfHolderIsGone(path);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

function removeIfHolderIsGone(path) {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    // Process ids repeat in containers, so a lock with our own id was left by an earlier process.
    if (holder === process.pid) rmSync(path, { force: true });
    else process.kill(holder, 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(path, { force: true });
    else if (error.code !== 'ENOENT' && error.code !== 'EPERM') throw error;
  }
}
