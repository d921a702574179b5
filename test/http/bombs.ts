import { expect } from 'vitest';
import { runProgram } from '../harness/program.js';
import type { BombReport } from '../programs/read-bombs.js';

const MAX_GROWTH_MB = 300;
export const MAX_STALL_MS = 100;

/** Has everything that reads remote answers read every bomb, in a process of its own, which must outlive them. */
export async function surviveBombs({ isShort = false } = {}): Promise<BombReport> {
  const report = await runProgram<BombReport>('read-bombs', isShort ? ['short'] : []).said;
  const { outcomes, peakGrowthMb, peakDuring, maxStallMs, maxOwnStallMs, maxStallCpuMs, longestStalls } = report;
  const [memory, stall, own, cpu] = [peakGrowthMb, maxStallMs, maxOwnStallMs, maxStallCpuMs].map(Math.round);
  const longest = longestStalls.map(({ name, cpuMs }) => `${name}: ${Math.round(cpuMs)} ms`).join(', ');
  process.stdout.write(
    `Bombs: ${Object.keys(outcomes).length} read, memory +${memory} MB (${peakDuring}), longest stall ${stall} ms, ${own} ms without waits for a core, ${cpu} ms of CPU time (${longest})\n`,
  );
  const wronglyRead = Object.entries(outcomes).filter(([name, outcome]) => outcome === 'read' && !mayIgnore(name));
  expect(wronglyRead).toEqual([]);
  expect(peakGrowthMb).toBeLessThan(MAX_GROWTH_MB);
  // A busy machine lengthens the stalls, not what this process computes in them.
  expect(maxStallCpuMs).toBeLessThan(MAX_STALL_MS);
  return report;
}

/** A receiver of somebody's own may answer with anything; what a search cannot read of single results, it leaves out. */
const mayIgnore = (name: string) =>
  /^(account|platform) webhook/.test(name) || /^scraper.*objects within limits/.test(name);
