import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withOurQueue } from './harness/our-queue.js';
import { progress } from './harness/progress.js';
import { withDataFolder, withMillrace } from './harness/running-millrace.js';
import { type BenchServers, withBenchServers } from './harness/servers.js';
import { childrenOf, residentMb } from './harness/usage.js';
import type { Measurement } from './report.js';

const BATCH = 500;
const IDLE_MS = 10_000;
const TARGET_MB = 130;
const WARM_UP_JOBS = 20_000;
const JOBS = 100_000;
/** The tolerance for fluctuations of the garbage collector, in megabytes. */
const NO_GROWTH_MB = 5;

/** Measures the idle program and the heap of a process that runs many jobs. It reads /proc, so it needs Linux. */
export async function run(): Promise<Measurement[]> {
  progress('idle process');
  const idle = await withDataFolder((dataDir) =>
    withMillrace(dataDir, async ({ pid }) => {
      await sleep(IDLE_MS);
      // Millrace is the only child of npm.
      const [millrace] = await childrenOf(pid ?? 0);
      if (!millrace) throw new Error('npm start has no process');
      return residentMb(millrace, 'VmRSS');
    }),
  );
  progress(`heap over ${WARM_UP_JOBS + JOBS} jobs`);
  const growth = await withBenchServers(heapGrowthMb);
  return [
    {
      what: 'idle, all roles',
      value: `${idle.toFixed(0)} MB RSS`,
      target: `at most ${TARGET_MB} MB`,
      met: idle <= TARGET_MB,
    },
    {
      what: `heap after ${JOBS} more jobs`,
      value: `${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB`,
      target: `at most +${NO_GROWTH_MB} MB`,
      met: growth <= NO_GROWTH_MB,
    },
  ];
}

async function heapGrowthMb(servers: BenchServers): Promise<number> {
  let done = 0;
  return withOurQueue(servers, { name: 'memory', run: () => void done++ }, async ({ job, jobs }) => {
    const runMore = async (count: number) => {
      for (const wanted = done + count; done < wanted; ) {
        const from = done;
        await jobs.enqueue(
          job,
          Array.from({ length: BATCH }, (_, n) => ({ key: `${from + n}`, data: { id: `${n}` } })),
        );
        while (done < from + BATCH) await sleep(5);
      }
    };
    await runMore(WARM_UP_JOBS);
    const before = collectedHeapMb();
    await runMore(JOBS);
    return collectedHeapMb() - before;
  });
}

function collectedHeapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
