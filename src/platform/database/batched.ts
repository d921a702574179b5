interface Call<Request, Result> {
  request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Gathers the calls that come while one is under way, and makes the next one for all of them together. */
export class Batched<Request, Result> {
  private waiting: Call<Request, Result>[] = [];
  private busy = false;

  /** `perform` returns the results in the order of the requests. */
  constructor(private readonly perform: (requests: Request[]) => Promise<Result[]>) {}

  call(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (!this.busy) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) await this.performFor(this.waiting.splice(0));
    this.busy = false;
  }

  private async performFor(calls: Call<Request, Result>[]): Promise<void> {
    try {
      const results = await this.perform(calls.map(({ request }) => request));
      for (const [index, call] of calls.entries()) call.resolve(results[index] as Result);
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  }
}
