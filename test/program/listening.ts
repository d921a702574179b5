import { readdir, readFile, readlink } from 'node:fs/promises';

/** Linux's code for a socket that accepts connections. */
const LISTEN = '0A';

/** Whether a process accepts connections. Works on Linux only. */
export async function isListening(pid: number): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => 'closed')));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  const sockets = tables.flatMap((table) => table.trim().split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  const listening = sockets.filter(([, , , state]) => state === LISTEN).map((fields) => `socket:[${fields[9]}]`);
  return targets.some((target) => listening.includes(target));
}
