import { thisMachine } from '../../test/harness/servers/machine.js';
import { whyNoSfeed } from '../../test/harness/servers/server-choice.js';
import { type Fleet, withFleet } from '../harness/fleet.js';
import { progress } from '../harness/progress.js';
import { renderNextRound, withServedFeeds } from '../harness/served-feeds.js';
import type { Usage } from '../harness/usage.js';
import { type Measurement, median } from '../report.js';
import { withBareLoop } from './bare.js';
import type { Contestant, Feeds } from './contest.js';
import { OurFetches } from './millrace.js';
import { withNaiveLoop } from './naive.js';
import { withSfeed } from './sfeed.js';

/** The number of feeds for fast contestants. Slow ones need fewer feeds to show their rate. */
const FEEDS = 3_000;
const FEW_FEEDS = 150;
const ROUNDS = 5;
/**
 * A program that runs for weeks is measured after a warm-up, because V8 optimises the last code only after thousands
 * of fetches.
 */
const ROUNDS_TO_WARM_UP = 5;
/** The settings keep sources from becoming due twice in a round, and followers from being counted. */
const SETTINGS = { MILLRACE_MIN_INTERVAL: '1h', MILLRACE_RECALC: '24h' };
const TARGETS = { bare: 0.65, sfeed: 17, naive: 17, bareCold: 0.6 };

interface Contest {
  ours: OurFetches;
  bare: Contestant;
  naive: Contestant;
  sfeed: Contestant | undefined;
}

type Rates = Record<'ours' | 'bare' | 'naive', number> & { sfeed: number | undefined };

/**
 * Measures feeds per second, for feeds with 50 items from a separate process: first all new, then in the steady mix.
 */
export async function run(): Promise<Measurement[]> {
  return withServedFeeds(0, (site) =>
    withFleet({ queue: 'Redis', processes: { millrace: 'api,scheduler,worker' }, settings: SETTINGS }, (fleet) =>
      withContest(fleet, site, async (contest) => {
        await renderNextRound(site);
        const cold = await oneRound(contest, 'cold round');
        const costs: Usage[] = [];
        const steady: Rates[] = [];
        // The database does its pending maintenance for the many new rows now.
        await fleet.client.query('VACUUM ANALYZE');
        for (let round = 0; round < ROUNDS_TO_WARM_UP; round++) {
          progress(`warm-up round ${round + 1} of ${ROUNDS_TO_WARM_UP}`);
          await renderNextRound(site);
          await contest.ours.round();
          await contest.bare.round();
        }
        for (let round = 0; round < ROUNDS; round++) {
          await renderNextRound(site);
          steady.push(await oneRound(contest, `steady round ${round + 1} of ${ROUNDS}`));
          if (contest.ours.cost) costs.push(contest.ours.cost);
        }
        return lines({ cold, steady, costs });
      }),
    ),
  );
}

async function withContest<T>(fleet: Fleet, site: string, work: (contest: Contest) => Promise<T>): Promise<T> {
  const { databaseUrl, redis } = fleet;
  if (!redis) throw new Error('there is no Redis');
  const feeds = (from: number, count: number): Feeds => ({ site, from, count });
  const ours = await OurFetches.open(fleet, feeds(1_000_000, FEEDS));
  return withBareLoop({ databaseUrl, redis }, feeds(2_000_000, FEEDS), (bare) =>
    withNaiveLoop(databaseUrl, feeds(3_000_000, FEW_FEEDS), (naive) => {
      const program = process.env.TEST_SFEED || thisMachine().installed('sfeed');
      if (!program) return work({ ours, bare, naive, sfeed: undefined });
      return withSfeed(program, feeds(4_000_000, FEW_FEEDS), (sfeed) => work({ ours, bare, naive, sfeed }));
    }),
  );
}

/** The contestants run one at a time, so that each has the machine to itself. */
async function oneRound({ ours, bare, naive, sfeed }: Contest, phase: string): Promise<Rates> {
  const rateOf = (contestant: Contestant, name: string) => {
    progress(`${phase}: ${name}`);
    return contestant.round();
  };
  return {
    ours: await rateOf(ours, 'Millrace'),
    bare: await rateOf(bare, 'the bare loop'),
    naive: await rateOf(naive, 'the rss-parser loop'),
    sfeed: sfeed && (await rateOf(sfeed, 'sfeed_update')),
  };
}

function lines({ cold, steady, costs }: { cold: Rates; steady: Rates[]; costs: Usage[] }): Measurement[] {
  const of = (who: keyof Rates) => rate(median(steady.map((rates) => rates[who] ?? 0)));
  const ratio = (to: keyof Rates) => median(steady.map((rates) => rates.ours / (rates[to] ?? 0)));
  const hasSfeed = cold.sfeed !== undefined;
  return [
    { what: 'steady mix: Millrace, queue and all', value: of('ours') },
    { what: '  the bare loop on Redis', value: of('bare') },
    compared(ratio('bare'), TARGETS.bare),
    { what: '  sfeed_update', value: hasSfeed ? of('sfeed') : whyNoSfeed() },
    ...(hasSfeed ? [compared(ratio('sfeed'), TARGETS.sfeed)] : []),
    { what: '  a loop of rss-parser, an INSERT for each item', value: of('naive') },
    compared(ratio('naive'), TARGETS.naive),
    { what: 'cold, 50 new items each: Millrace, queue and all', value: rate(cold.ours) },
    { what: '  the bare loop on Redis', value: rate(cold.bare) },
    compared(cold.ours / cold.bare, TARGETS.bareCold),
    { what: '  a loop of rss-parser, an INSERT for each item', value: rate(cold.naive) },
    { what: '    ratio', value: (cold.ours / cold.naive).toFixed(2) },
    ...costLines(costs),
  ];
}

const rate = (perSecond: number) => `${perSecond.toFixed(0)} feeds/s`;

function compared(ratio: number, target: number): Measurement {
  return { what: '    ratio', value: ratio.toFixed(2), target: `at least ${target}`, met: ratio >= target };
}

/** CPU time is counted by the system, so it is more reliable than a rate on a machine with other load. */
function costLines(costs: Usage[]): Measurement[] {
  return Object.keys(costs[0]?.cpu ?? {}).map((part) => ({
    what: `steady mix: CPU of a fetch in ${part}`,
    value: `${(1_000 * median(costs.map(({ cpu }) => cpu[part] ?? 0))).toFixed(2)} ms`,
  }));
}
