import { type Context, context } from '@opentelemetry/api';

interface Call<Request, Result> {
  request: Request;
  from: Context;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Calls that arrive together, or while another is running, are performed as one, in the trace of the first. */
export class Batcher<Request, Result> {
  private waiting: Call<Request, Result>[] = [];
  private busy = false;

  /** `perform` returns the results in the order of the requests. */
  constructor(
    private readonly perform: (requests: Request[]) => Promise<Result[]>,
    private readonly maxSize = Number.POSITIVE_INFINITY,
  ) {}

  call(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, from: context.active(), resolve, reject });
      if (!this.busy) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      // Calls that arrived in the same chunk of network data join the batch.
      await new Promise(setImmediate);
      const calls = this.waiting.splice(0, this.maxSize);
      await context.with(calls[0]?.from ?? context.active(), () => this.performFor(calls));
    }
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
