import { CEILING_SECONDS } from '../interval.js';

export interface Demand {
  sources: number;
  /** Active followers times posts per day, of each source. */
  worth: number;
  shortestSeconds: number;
  /** Lower than the ceiling if a follower asks for a maximum delay. */
  longestSeconds: number;
}

/** The price of a fetch and the state from which it is adjusted. Times are seconds since 1970. */
export interface RequestBudget {
  /** Seconds that followers have waited. */
  price: number;
  /** Ratio of actual to expected requests: low at quiet hours, high in bursts. */
  correction: number;
  /** Requests that were allowed but not made, as of `lookedAt`; negative if more were made than allowed. */
  balance: number;
  /** Allowed requests per hour, including the extra cost of followers' maximum delays. */
  budgetPerHour: number;
  fetches: number;
  lookedAt: number;
}

interface BudgetInput {
  at: number;
  demands: Demand[];
  budgetPerHour: number;
  fetches: number;
}

const DAY = 86_400;
const HOUR = 3_600;
const STEPS = 60;
const MIN_PRICE = 1e-6;
/** Maximum delays may take this share of the budget from other sources. Any further cost is added to the budget. */
const MAX_DELAYS_SHARE = 0.5;
/** Hours in which a balance is evened out. With a much smaller value, nights would be fetched like days. */
const EVEN_HOURS = 3;
/** Maximum share by which a balance changes the spending. */
const MAX_BALANCE_SHARE = 0.5;
/** Maximum balance, saved or owed, in hours of the budget. */
const KEPT_HOURS = 3;
const CORRECTION_HOURS = 8;
/** If this many requests were expected and none was made, no process was running and the time is ignored. */
const NOT_BY_CHANCE = 5;

/** The extra cost of maximum delays is left out. */
export function priceFor(demands: Demand[], requestsPerHour: number): number {
  let [low, high] = [MIN_PRICE, highestPrice(demands)];
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high);
    if (requestsAt(demands, price) - onTopAt(demands, price, requestsPerHour) > requestsPerHour) low = price;
    else high = price;
  }
  return high;
}

function highestPrice(demands: Demand[]): number {
  return demands.reduce((most, { worth }) => Math.max(most, ((worth / DAY) * CEILING_SECONDS ** 2) / 2), MIN_PRICE);
}

function requestsAt(demands: Demand[], price: number): number {
  return demands.reduce((sum, demand) => sum + requestsOf(demand, price), 0);
}

function onTopAt(demands: Demand[], price: number, requestsPerHour: number): number {
  const withoutMaxDelay = (demand: Demand) => ({ ...demand, longestSeconds: CEILING_SECONDS });
  const forMaxDelays = requestsAt(demands, price) - requestsAt(demands.map(withoutMaxDelay), price);
  return Math.max(0, forMaxDelays - MAX_DELAYS_SHARE * requestsPerHour);
}

function requestsOf({ sources, worth, shortestSeconds, longestSeconds }: Demand, price: number): number {
  const seconds = Math.sqrt((2 * price) / (worth / DAY));
  return (sources * HOUR) / Math.min(Math.max(seconds, shortestSeconds), longestSeconds);
}

export function nextBudget(last: RequestBudget | null, look: BudgetInput): RequestBudget {
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

function settled(last: RequestBudget, { at, demands, fetches }: BudgetInput) {
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
