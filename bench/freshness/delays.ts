/** A histogram of followers' waiting times in seconds. */
export class Delays {
  private readonly seconds: Float64Array;
  private weight = 0;
  private sum = 0;

  constructor(longest: number) {
    this.seconds = new Float64Array(Math.ceil(longest) + 1);
  }

  add(delay: number, followers: number): void {
    this.seconds[Math.floor(delay)] = (this.seconds[Math.floor(delay)] ?? 0) + followers;
    this.weight += followers;
    this.sum += delay * followers;
  }

  get mean(): number {
    return this.weight ? this.sum / this.weight : 0;
  }

  quantile(share: number): number {
    let passed = 0;
    for (let second = 0; second < this.seconds.length; second++) {
      passed += this.seconds[second] ?? 0;
      if (passed >= share * this.weight && passed > 0) return second;
    }
    return 0;
  }
}
