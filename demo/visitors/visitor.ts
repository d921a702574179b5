import { z } from 'zod';

/** How visitors reach Millrace. */
export interface Door {
  address: string;
  adminKey: string;
  /** Aborted when the demo ends. */
  signal: AbortSignal;
}

const Problem = z.object({ detail: z.string().nullish(), title: z.string().nullish() });

/** A user of Millrace, through its API. */
export class Visitor {
  constructor(
    private readonly door: Door,
    /** The name of the user in the calling application; the admin if it is left out. */
    readonly user?: string,
  ) {}

  get(path: string): Promise<unknown> {
    return this.ask('GET', path);
  }

  post<T>(path: string, body: object, answer: z.ZodType<T>): Promise<T> {
    return this.ask('POST', path, body).then((given) => answer.parse(given));
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const { address, adminKey, signal } = this.door;
    const response = await fetch(`${address}/api/v1/${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(this.user && { 'x-millrace-user': this.user }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { detail, title } = Problem.parse(answer);
    throw new Error(`${method} ${path} failed with status ${response.status}: ${detail ?? title}`);
  }
}

export const Made = z.object({ id: z.string() });
