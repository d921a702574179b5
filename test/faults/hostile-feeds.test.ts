import { expect, it } from 'vitest';
import { HOSTILE_FEEDS, startHostileSite } from '../fetching/hostile-feeds.js';
import { runProgram } from '../harness/program.js';
import type { HostileFeedsReport } from '../programs/read-hostile-feeds.js';

it('115 hostile feeds cost less than 300 MB of memory', async () => {
  const address = await startHostileSite();
  const { outcomes, peakGrowthMb } = await runProgram<HostileFeedsReport>('read-hostile-feeds', [address]).said;
  const table = outcomes.map((outcome, at) => `${HOSTILE_FEEDS[at]?.name}: ${outcome}`).join('\n');
  process.stdout.write(`${table}\nHostile feeds: ${outcomes.length} read, memory +${Math.round(peakGrowthMb)} MB\n`);
  expect(outcomes).toHaveLength(115);
  expect(peakGrowthMb).toBeLessThan(300);
});
