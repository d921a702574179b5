import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Taken } from './receiver.program.js';

/** The platform of the benchmark, in a separate process. */
export class Receiver {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const process = fork(fileURLToPath(new URL('./receiver.program.js', import.meta.url)));
    const [url] = await once(process, 'message');
    return new Receiver(process, String(url));
  }

  /** Runs `send`, and returns when the receiver got each of the posts. */
  async take(order: Order, send: () => Promise<unknown>): Promise<Taken> {
    this.process.send(order);
    await once(this.process, 'message');
    const taken = once(this.process, 'message');
    await send();
    return (await taken)[0] as Taken;
  }

  stop(): void {
    this.process.disconnect();
  }
}
