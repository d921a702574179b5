import { readdir, readFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import type pg from 'pg';

/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100;

/** The resources that processes have used since they started: CPU by name, and bytes of the write-ahead log. */
export interface Usage {
  at: number;
  cpu: Record<string, number>;
  walBytes: number;
}

export interface Watched {
  /** Process ids of Millrace by role. */
  programs: Record<string, number>;
  client: pg.Client;
  redis?: Redis | undefined;
}

/** CPU seconds are counted by the system, so other load on the machine does not count. */
export async function usageOf({ programs, client, redis }: Watched): Promise<Usage> {
  const cpu: Record<string, number> = {};
  for (const [name, pid] of Object.entries(programs)) cpu[name] = (await statOf(pid)).own;
  cpu.postgres = await postgresSeconds(client);
  if (redis) cpu.redis = await redisSeconds(redis);
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS bytes",
  );
  return { at: performance.now(), cpu, walBytes: Number(rows[0]?.bytes) };
}

/** Returns the usage between two moments, less that of an idle system in the same time. */
export function between(before: Usage, after: Usage, idle?: Usage): Usage {
  const seconds = (after.at - before.at) / 1_000;
  const beyond = (used: number, idleRate = 0) => Math.max(0, used - idleRate * seconds);
  const cpu = Object.entries(after.cpu).map(([name, total]): [string, number] => [
    name,
    beyond(total - (before.cpu[name] ?? 0), idle?.cpu[name]),
  ]);
  return {
    at: after.at - before.at,
    cpu: Object.fromEntries(cpu),
    walBytes: beyond(after.walBytes - before.walBytes, idle?.walBytes),
  };
}

/** Divides the usage by `count`. */
export function each({ at, cpu, walBytes }: Usage, count: number): Usage {
  const cpuOfOne = Object.entries(cpu).map(([name, seconds]) => [name, seconds / count]);
  return { at: at / count, cpu: Object.fromEntries(cpuOfOne), walBytes: walBytes / count };
}

/** Ended backends are counted with the postmaster. */
async function postgresSeconds(client: pg.Client): Promise<number> {
  const { first, others } = await postgresProcesses(client);
  const times = await Promise.all(others.map((pid) => statOf(pid).catch(() => undefined)));
  const { own, ofEnded } = await statOf(first);
  return times.reduce((sum, stat) => sum + (stat?.own ?? 0), own + ofEnded);
}

async function postgresProcesses(client: pg.Client): Promise<{ first: number; others: number[] }> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const first = (await statOf(rows[0]?.pid ?? 0)).parent;
  return { first, others: await childrenOf(first) };
}

export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map((pid) => statOf(pid).catch(() => undefined)));
  return pids.filter((_, index) => stats[index]?.parent === parent);
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / TICKS;
  return { parent: Number(fields[1]), own: seconds(11), ofEnded: seconds(13) };
}

async function redisSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  return Number(/used_cpu_user:([\d.]+)/.exec(info)?.[1]) + Number(/used_cpu_sys:([\d.]+)/.exec(info)?.[1]);
}

/** Returns megabytes. Memory that PostgreSQL's processes share is counted once. */
export async function memoryOf({ programs, client, redis }: Watched): Promise<Record<string, number>> {
  const memory: Record<string, number> = {};
  for (const [name, pid] of Object.entries(programs)) memory[name] = await kilobytes(`/proc/${pid}/status`, 'VmRSS');
  const { first, others } = await postgresProcesses(client);
  const parts = [first, ...others].map((pid) => kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss').catch(() => 0));
  memory.postgres = (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
  if (redis) memory.redis = Number(/used_memory_rss:(\d+)/.exec(await redis.info('memory'))?.[1]) / 1_024;
  return Object.fromEntries(Object.entries(memory).map(([name, kb]) => [name, kb / 1_024]));
}

/** Returns the megabytes that a process holds now (`VmRSS`), or the most that it ever held (`VmHWM`). */
export async function residentMb(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  return (await kilobytes(`/proc/${pid}/status`, field)) / 1_024;
}

async function kilobytes(file: string, field: string): Promise<number> {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(await readFile(file, 'utf8'))?.[1]);
}
