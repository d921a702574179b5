import { readFileSync, readlinkSync } from 'node:fs';

/** Linux counts the CPU time of threads in units of 10 ms on all machines. */
const TICK_MS = 10;
/** Indices in `stat` after the name in brackets: time in user mode, then in the kernel. */
const USER = 11;
const KERNEL = 12;

export function ownThreadId(): number | undefined {
  const found = orUndefined(() => Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  return Number.isInteger(found) ? found : undefined;
}

export function threadCpuMs(threadId: number): number | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[USER]) + Number(fields[KERNEL])) * TICK_MS;
}

/** The file does not exist on other systems, or after the thread has ended. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Measures the CPU time of the thread that creates it, or elapsed time if CPU time is not available. */
export class CpuWatch {
  private readonly threadId = ownThreadId();
  private readonly startedAt = performance.now();
  private readonly startedCpu = this.cpuMs();

  /** A thread cannot use more CPU time than time has passed, so short tasks need no system call. */
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
