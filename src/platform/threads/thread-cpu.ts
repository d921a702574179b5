import { readFileSync, readlinkSync } from 'node:fs';

/** Linux counts the CPU time of threads in units of 10 ms, whatever the machine. */
const TICK_MS = 10;
/** Places in `stat` after the name in brackets: time in user mode, then in the kernel. */
const USER = 11;
const KERNEL = 12;

/** The number that the system gives to the thread that calls it; undefined where it does not tell. */
export function ownThreadId(): number | undefined {
  const found = orUndefined(() => Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  return Number.isInteger(found) ? found : undefined;
}

/** The CPU time, in milliseconds, that a thread of this process has used, without the time that it has waited for a core. */
export function threadCpuMs(threadId: number): number | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[USER]) + Number(fields[KERNEL])) * TICK_MS;
}

/** There is no such file on other systems, or not any more when the thread has ended. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Measures how long the thread that makes it computes. Where that cannot be told, it is the time that has passed. */
export class CpuWatch {
  private readonly threadId = ownThreadId();
  private readonly startedAt = performance.now();
  private readonly startedCpu = this.cpuMs();

  /** In milliseconds. A thread computes no longer than time passes, so that the system need not be asked in short tasks. */
  hasUsed(milliseconds: number): boolean {
    return performance.now() - this.startedAt >= milliseconds && this.usedMs() >= milliseconds;
  }

  usedMs(): number {
    const cpu = this.cpuMs();
    return cpu === undefined || this.startedCpu === undefined
      ? performance.now() - this.startedAt
      : cpu - this.startedCpu;
  }

  private cpuMs(): number | undefined {
    return this.threadId === undefined ? undefined : threadCpuMs(this.threadId);
  }
}
