import { nextBudget, type RequestBudget } from '../../src/fetching/intervals/adaptive/request-price.js';
import type { IntervalRules } from '../../src/fetching/intervals/interval.js';
import type { IntervalPolicy } from '../../src/fetching/intervals/interval-policy.js';
import { FIRST_PRICE } from '../../src/fetching/intervals/interval-rules.js';
import { tiers } from '../../src/fetching/intervals/tiers.js';
import { countedFetches } from '../../src/fetching/run/after-success.js';
import { learnedRhythm } from '../../src/fetching/schedule/learned-rhythm.js';
import { afterFetch, rescheduled, type Schedule } from '../../src/fetching/schedule/next-fetch.js';
import { Delays } from './delays.js';
import { AllDemand } from './demand.js';
import { Due } from './due.js';
import { Random } from './random.js';
import { Watching } from './watching.js';
import { dateOf, START, secondsOf, type World, type WorldSource } from './world.js';

export interface Run {
  policy: IntervalPolicy | ((source: WorldSource) => IntervalPolicy);
  /** The share of the requests that the tiers would make. */
  budgetShare?: number;
  /** Returns the posts per day of a source, for policies that do not learn them. */
  knownPerDay?: (source: WorldSource, world: World) => number;
}

export interface Outcome {
  requests: number;
  /** Posts that newer ones displaced before a fetch. They count as found by the fetch that came too late. */
  lost: number;
  requestsPerPost: number;
  /** Delays are weighted by followers. Posts that were not found count until the end. */
  meanDelaySeconds: number;
  p95DelaySeconds: number;
}

const FLOOR_SECONDS = 60;
/** The interval in seconds at which the engine checks its budget. */
const LOOK_SECONDS = 300;
const SEED = 7;

/** Runs a world through the engine's own rules, which know only what their fetches show. */
export function simulate(world: World, run: Run): Outcome {
  return new Simulation(world, run).run();
}

interface Change {
  index: number;
  at: number;
  active: number;
}

class Simulation {
  private readonly random = new Random(SEED);
  private readonly watched: { watching: Watching; rules: IntervalRules }[];
  private readonly due: Due;
  private readonly delays: Delays;
  private readonly demand = new AllDemand(FLOOR_SECONDS);
  private readonly prices = { price: FIRST_PRICE };
  private budget: RequestBudget | null = null;
  private requests = 0;
  private counted = 0;
  private found = 0;
  private lost = 0;

  constructor(
    private readonly world: World,
    private readonly options: Run,
  ) {
    this.watched = world.sources.map((source) => ({ watching: new Watching(source), rules: this.rulesFor(source) }));
    this.due = new Due(world.sources.length);
    this.delays = new Delays(world.end);
  }

  run(): Outcome {
    const { end } = this.world;
    const changes = this.changes();
    let next = changes.next();
    for (let at = 0; at <= end; at += LOOK_SECONDS) {
      const until = Math.min(at + LOOK_SECONDS, end + 0.001);
      for (; !next.done && next.value.at <= at; next = changes.next()) this.follow(next.value);
      this.look(at);
      for (; !next.done && next.value.at < until; next = changes.next()) {
        this.fetchUntil(next.value.at);
        this.follow(next.value);
      }
      this.fetchUntil(until);
    }
    return this.outcome();
  }

  private outcome(): Outcome {
    const { requests, lost, found, delays, world } = this;
    const requestsPerPost = found ? requests / found : 0;
    for (const { watching } of this.watched) {
      for (const { published, followers } of watching.take(world.end)) delays.add(world.end - published, followers);
    }
    const p95DelaySeconds = delays.quantile(0.95);
    return { requests, lost, requestsPerPost, meanDelaySeconds: delays.mean, p95DelaySeconds };
  }

  private rulesFor(source: WorldSource): IntervalRules {
    const { prices, options } = this;
    const policy = typeof options.policy === 'function' ? options.policy(source) : options.policy;
    return {
      policy,
      floorSeconds: FLOOR_SECONDS,
      get price() {
        return prices.price;
      },
    };
  }

  private changes(): Iterator<Change> {
    return this.world.sources
      .flatMap(({ followers }, index) => followers.map(({ at, active }) => ({ index, at, active })))
      .sort((a, b) => a.at - b.at)
      .values();
  }

  private follow({ index, at, active }: Change): void {
    const { watching, rules } = this.at(index);
    watching.state.activeFollowers = active;
    this.ask(index);
    this.plan(index, rescheduled(watching.state, rules, dateOf(Math.max(at, 0))));
  }

  private fetchUntil(end: number): void {
    for (let next = this.due.take(end); next; next = this.due.take(end)) this.fetch(next.index, next.at);
  }

  private fetch(index: number, at: number): void {
    const { watching, rules } = this.at(index);
    const { state } = watching;
    const now = dateOf(at);
    const { published, cut, allows } = watching.shows(at);
    this.requests++;
    this.countFound(watching, at);
    const fetches = countedFetches(state);
    this.counted += fetches - state.fetches;
    const learned = rules.policy === tiers ? {} : learnedRhythm(state, { published: published.map(dateOf), cut, now });
    Object.assign(state, { fetches, lastFetchAt: now, lastSuccessAt: now, allows, ...learned });
    this.ask(index);
    this.plan(index, afterFetch(state, rules, { now, random: this.random.next() }));
  }

  private countFound(watching: Watching, at: number): void {
    for (const { published, followers, lost } of watching.take(at)) {
      this.delays.add(at - published, followers);
      this.found++;
      if (lost) this.lost++;
    }
  }

  private plan(index: number, schedule: Schedule): void {
    Object.assign(this.at(index).watching.state, schedule);
    this.due.set(index, schedule.nextFetchAt ? secondsOf(schedule.nextFetchAt) : Infinity);
  }

  private look(at: number): void {
    const { demands, tiersPerHour } = this.demand;
    const budgetPerHour = tiersPerHour * (this.options.budgetShare ?? 1);
    this.budget = nextBudget(this.budget, { at: START + at, demands, budgetPerHour, fetches: this.counted });
    this.prices.price = this.budget.price;
  }

  private ask(index: number): void {
    const { state, source } = this.at(index).watching;
    const { knownPerDay } = this.options;
    this.demand.set(index, knownPerDay ? { ...state, postsPerDay: knownPerDay(source, this.world) } : state);
  }

  private at(index: number) {
    const one = this.watched[index];
    if (!one) throw new Error(`There is no source ${index}.`);
    return one;
  }
}
