import { setTimeout as sleep } from 'node:timers/promises';
import { FeedParser } from '../../src/fetching/parsing/feed-parser.js';

export interface HostileFeedsReport {
  /** The result of each feed, in order. */
  outcomes: string[];
  /** Peak of the resident memory, compared with that after a harmless feed. */
  peakGrowthMb: number;
}

const MB = 1_000_000;
const HARMLESS = '<rss version="2.0"><channel><item><guid>a</guid></item></channel></rss>';

/** Reads the feeds at the given address one after another until there are no more. */
async function main(address: string): Promise<HostileFeedsReport> {
  const parser = new FeedParser();
  const read = (body: Uint8Array) =>
    parser.parse({ body, url: 'http://a.example/feed', judgeItems: true }).then(
      ({ posts }) => `${posts.length} posts`,
      (error: Error) => error.message,
    );
  await read(Buffer.from(HARMLESS));
  await sleep(500);
  const before = process.memoryUsage.rss();
  const report: HostileFeedsReport = { outcomes: [], peakGrowthMb: 0 };
  const watch = setInterval(() => {
    report.peakGrowthMb = Math.max(report.peakGrowthMb, (process.memoryUsage.rss() - before) / MB);
  }, 10);
  for (let at = 0; ; at++) {
    const response = await fetch(`${address}${at}`);
    if (!response.ok) break;
    const outcome = await read(new Uint8Array(await response.arrayBuffer()));
    report.outcomes.push(`${outcome}; +${Math.round(report.peakGrowthMb)} MB so far`);
  }
  clearInterval(watch);
  return report;
}

process.send?.(await main(process.argv[2] ?? ''));
process.exit(0);
