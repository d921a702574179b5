import { CEILING_SECONDS } from '../interval.js';

/** Some sources that are alike. */
export interface Demand {
  sources: number;
  /** Active followers times posts a day, of each. */
  worth: number;
  /** What else bounds their intervals. */
  shortestSeconds: number;
  /** Shorter than the ceiling where a follower has a wish. */
  longestSeconds: number;
}

/** What a fetch must be worth, and how that was found. Times are seconds since 1970. */
export interface RequestBudget {
  /** In seconds that followers have waited. */
  price: number;
  /** Requests that are made for each that the demands let expect: few at hours when little is posted, many in bursts. */
  correction: number;
  /** Requests that were allowed and not made, as of `lookedAt`; below zero, made and not allowed. */
  balance: number;
  /** All that are allowed: with those that wishes cost on top. */
  budgetPerHour: number;
  fetches: number;
  lookedAt: number;
}

interface Look {
  at: number;
  demands: Demand[];
  budgetPerHour: number;
  /** All that schedules have had fetched until now. */
  fetches: number;
}

const DAY = 86_400;
const HOUR = 3_600;
const STEPS = 60;
const MIN_PRICE = 1e-6;
/** Wishes may take this part of a budget from other sources. What they cost beyond that comes on top of it. */
const WISHES_SHARE = 0.5;
/** In so many hours a balance is evened out. Much faster, and every night would be fetched like a day. */
const EVEN_HOURS = 3;
/** A balance moves what is spent by no more than this part. */
const MAX_BALANCE_SHARE = 0.5;
/** No more is saved up, or owed, than what is allowed in so many hours. */
const KEPT_HOURS = 3;
const CORRECTION_HOURS = 8;
/** Where so many were to be expected and none was made, nobody was there to make them. */
const NOT_BY_CHANCE = 5;

/** The price at which the demands come to so many requests an hour, without what wishes cost on top. */
export function priceFor(demands: Demand[], requestsPerHour: number): number {
  let [low, high] = [MIN_PRICE, highestPrice(demands)];
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high);
    if (requestsAt(demands, price) - onTopAt(demands, price, requestsPerHour) > requestsPerHour) low = price;
    else high = price;
  }
  return high;
}

/** At which even the worthiest wait as long as any source may. */
function highestPrice(demands: Demand[]): number {
  return demands.reduce((most, { worth }) => Math.max(most, ((worth / DAY) * CEILING_SECONDS ** 2) / 2), MIN_PRICE);
}

function requestsAt(demands: Demand[], price: number): number {
  return demands.reduce((sum, demand) => sum + requestsOf(demand, price), 0);
}

function onTopAt(demands: Demand[], price: number, requestsPerHour: number): number {
  const withoutWish = (demand: Demand) => ({ ...demand, longestSeconds: CEILING_SECONDS });
  const forWishes = requestsAt(demands, price) - requestsAt(demands.map(withoutWish), price);
  return Math.max(0, forWishes - WISHES_SHARE * requestsPerHour);
}

function requestsOf({ sources, worth, shortestSeconds, longestSeconds }: Demand, price: number): number {
  const seconds = Math.sqrt((2 * price) / (worth / DAY));
  return (sources * HOUR) / Math.min(Math.max(seconds, shortestSeconds), longestSeconds);
}

/** Moves the price on, so that what is spent meets what is allowed. */
export function nextBudget(last: RequestBudget | null, look: Look): RequestBudget {
  const { at, demands, budgetPerHour, fetches } = look;
  const { correction, balance: all } = last ? settled(last, look) : opened(demands);
  const balance = within(all, KEPT_HOURS * budgetPerHour);
  const back = within(balance / EVEN_HOURS, MAX_BALANCE_SHARE * budgetPerHour);
  const foreseen = (budgetPerHour + back) / correction;
  const price = priceFor(demands, foreseen);
  const onTop = onTopAt(demands, price, foreseen) * correction;
  return { price, correction, balance, budgetPerHour: budgetPerHour + onTop, fetches, lookedAt: at };
}

function opened(demands: Demand[]) {
  return { correction: 1, balance: -demands.reduce((sum, { sources }) => sum + sources, 0) / 2 };
}

function settled(last: RequestBudget, { at, demands, fetches }: Look) {
  const hours = Math.max(0, at - last.lookedAt) / HOUR;
  const made = fetches - last.fetches;
  const foreseen = requestsAt(demands, last.price) * hours;
  if (made === 0 && foreseen * last.correction >= NOT_BY_CHANCE) return last;
  const balance = last.balance + last.budgetPerHour * hours - made;
  if (!(foreseen > 0)) return { balance, correction: last.correction };
  const share = Math.min(hours / CORRECTION_HOURS, 0.5);
  const ratio = Math.min(Math.max(made / foreseen, 0.2), 3);
  return { balance, correction: last.correction + share * (ratio - last.correction) };
}

const within = (value: number, most: number) => Math.min(Math.max(value, -most), most);
