import { expect } from 'vitest';
import { runProgram } from '../harness/program.js';
import type { BombReport } from '../programs/read-bombs.js';

/** Has everything that reads remote answers read every bomb, in a process of its own, which must outlive them. */
export async function surviveBombs({ maxStallMs }: { maxStallMs: number }): Promise<void> {
  const { outcomes, peakGrowthMb, longestStallMs } = await runProgram<BombReport>('read-bombs', []).said;
  const [memory, stall] = [Math.round(peakGrowthMb), Math.round(longestStallMs)];
  process.stdout.write(
    `Bombs: ${Object.keys(outcomes).length} read, memory +${memory} MB, longest stall ${stall} ms\n`,
  );
  const wronglyRead = Object.entries(outcomes).filter(([name, outcome]) => outcome === 'read' && !mayIgnore(name));
  expect(wronglyRead).toEqual([]);
  expect(peakGrowthMb).toBeLessThan(300);
  expect(longestStallMs).toBeLessThan(maxStallMs);
}

/** A receiver of somebody's own may answer with anything; what a search cannot read of single results, it leaves out. */
const mayIgnore = (name: string) =>
  /^(account|platform) webhook/.test(name) || (name.startsWith('scraper') && name.includes('objects within limits'));
