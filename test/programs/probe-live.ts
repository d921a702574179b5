import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was observed of a process until the probe was stopped. */
export interface ProbeReport {
  growthMb: number;
  /** The slowest answer of `/health/live`. */
  slowestLiveMs: number;
  /** The same without the time for which either process waited for a core that other programs used. */
  slowestComputedMs: number;
}

const INTERVAL_MS = 25;
const [pid = '', address = ''] = process.argv.slice(2);
const report: ProbeReport = { growthMb: 0, slowestLiveMs: 0, slowestComputedMs: 0 };
const startMb = rssMb();

// Runs in its own process, because the sender of the flood is too busy to measure anything.
process.once('SIGTERM', () => process.send?.(report, () => process.exit(0)));
// Before this line a signal would end the process without a report.
process.stdout.write('probing\n');
for (;;) {
  report.growthMb = Math.max(report.growthMb, rssMb() - startMb);
  const [startedMs, waitedMs] = [performance.now(), coreWaitMs()];
  await askLive();
  const ms = performance.now() - startedMs;
  report.slowestLiveMs = Math.max(report.slowestLiveMs, ms);
  report.slowestComputedMs = Math.max(report.slowestComputedMs, ms - (coreWaitMs() - waitedMs));
  await sleep(INTERVAL_MS);
}

function askLive(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL('/health/live', address), { agent: false }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject);
      if (answer.statusCode !== 200) reject(new Error(`/health/live answered ${answer.statusCode}`));
    });
    asked.once('error', reject).end();
  });
}

/** How long the main threads of both processes were ready to run and had no core. */
function coreWaitMs(): number {
  const ofBoth = [pid, process.pid].map((id) => {
    const [, waitingNs] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'latin1').split(' ');
    return Number(waitingNs) / 1e6;
  });
  return ofBoth.reduce((sum, ms) => sum + ms, 0);
}

function rssMb(): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kb) / 1_024;
}
