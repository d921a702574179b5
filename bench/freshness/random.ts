/** A random number generator with a seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2_654_435_761) >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns an exponentially distributed number with mean 1. */
  wait(): number {
    return -Math.log(1 - this.next());
  }

  normal(): number {
    return Math.sqrt(2 * this.wait()) * Math.cos(2 * Math.PI * this.next());
  }

  /** Returns a number of at least 1; large ones are rare. */
  pareto(shape: number): number {
    return (1 - this.next()) ** (-1 / shape);
  }

  /** Returns a count with that mean. */
  poisson(mean: number): number {
    let count = 0;
    for (let left = mean - this.wait(); left > 0; left -= this.wait()) count++;
    return count;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }
}
