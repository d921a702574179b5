/** Some sources that are alike. */
export interface Demand {
  sources: number;
  /** Active followers times posts a day, of each. */
  worth: number;
  /** What else bounds their intervals. */
  shortestSeconds: number;
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
  budgetPerHour: number;
  fetches: number;
  lookedAt: number;
}

export interface Look {
  at: number;
  demands: Demand[];
  budgetPerHour: number;
  /** All that schedules have had fetched until now. */
  fetches: number;
}

const DAY = 86_400;
const HOUR = 3_600;
const STEPS = 60;
/** In so many hours a balance is evened out. Much faster, and every night would be fetched like a day. */
const EVEN_HOURS = 3;
/** A balance moves what is spent by no more than this part. */
const MOST = 0.5;
const CORRECTION_HOURS = 8;

/** The price at which the demands come to so many requests an hour. */
export function priceFor(demands: Demand[], requestsPerHour: number): number {
  let [low, high] = [1e-6, 1e12];
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high);
    if (requestsAt(demands, price) > requestsPerHour) low = price;
    else high = price;
  }
  return high;
}

function requestsAt(demands: Demand[], price: number): number {
  return demands.reduce((sum, { sources, worth, shortestSeconds, longestSeconds }) => {
    const seconds = Math.sqrt((2 * price) / (worth / DAY));
    return sum + (sources * HOUR) / Math.min(Math.max(seconds, shortestSeconds), longestSeconds);
  }, 0);
}

/** Moves the price on, so that what is spent meets what is allowed. */
export function nextBudget(last: RequestBudget | null, look: Look): RequestBudget {
  const { at, demands, budgetPerHour, fetches } = look;
  const { correction, balance } = last ? settled(last, look) : opened(demands);
  const most = MOST * budgetPerHour;
  const back = Math.min(Math.max(balance / EVEN_HOURS, -most), most);
  const price = priceFor(demands, (budgetPerHour + back) / correction);
  return { price, correction, balance, budgetPerHour, fetches, lookedAt: at };
}

function opened(demands: Demand[]) {
  return { correction: 1, balance: -demands.reduce((sum, { sources }) => sum + sources, 0) / 2 };
}

function settled(last: RequestBudget, { at, demands, fetches }: Look) {
  const hours = Math.max(0, at - last.lookedAt) / HOUR;
  const made = fetches - last.fetches;
  const balance = last.balance + last.budgetPerHour * hours - made;
  const foreseen = requestsAt(demands, last.price) * hours;
  if (!(foreseen > 0)) return { balance, correction: last.correction };
  const share = Math.min(hours / CORRECTION_HOURS, 0.5);
  const ratio = Math.min(Math.max(made / foreseen, 0.2), 3);
  return { balance, correction: last.correction + share * (ratio - last.correction) };
}
