import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { CommandError, EXIT } from '../command.js';
import { answersStrangely, cannotReach, type Problem, Refused, readProblem } from './api-error.js';
import type { Whereabouts } from './where.js';

/** Longer is not waited for room, but said. */
const MAX_WAIT_SECONDS = 60;
const TOO_MANY_REQUESTS = 429;

type Query = Record<string, string | number | boolean | undefined>;

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Connection extends Whereabouts {
  /** Whom an admin key acts for. */
  user?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Told when the API asks for patience. */
  onWait?: (seconds: number) => void;
}

/** The API of one Millrace. Answers are plain JSON: whoever uses a field of one reads it with `read`. */
export class ApiClient {
  constructor(private readonly connection: Connection) {}

  get url(): string {
    return this.connection.url;
  }

  get signal(): AbortSignal | undefined {
    return this.connection.signal;
  }

  get(path: string, query: Query = {}): Promise<unknown> {
    return this.json(path, { query });
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> {
    return this.json(path, { method: 'POST', body, headers });
  }

  put(path: string, body: unknown): Promise<unknown> {
    return this.json(path, { method: 'PUT', body });
  }

  async delete(path: string): Promise<unknown> {
    return this.json(path, { method: 'DELETE' });
  }

  async text(path: string, query: Query = {}): Promise<string> {
    const response = await this.ask(path, { query });
    return this.reaching(() => response.text());
  }

  /** A body that is not read at once. */
  async open(path: string, { query, headers }: Pick<Request, 'query' | 'headers'> = {}): Promise<Response> {
    return this.ask(path, { ...(query && { query }), ...(headers && { headers }) });
  }

  /** What goes wrong on the way is a person's to read, an abort their own wish. */
  async reaching<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      if (this.connection.signal?.aborted) throw new CommandError('', EXIT.interrupted);
      throw cannotReach(this.url, error);
    }
  }

  private async json(path: string, request: Request): Promise<unknown> {
    const response = await this.ask(path, request);
    const text = await this.reaching(() => response.text());
    return text === '' ? undefined : this.parsed(text, response);
  }

  private async ask(path: string, request: Request): Promise<Response> {
    for (;;) {
      const response = await this.send(path, request);
      if (response.ok) return response;
      const problem = await this.problemOf(response);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== TOO_MANY_REQUESTS || !(seconds <= MAX_WAIT_SECONDS)) throw new Refused(problem);
      this.connection.onWait?.(seconds);
      await this.reaching(() => sleep(seconds * 1_000, undefined, { signal: this.connection.signal }));
    }
  }

  private send(path: string, { method = 'GET', query = {}, body, headers }: Request): Promise<Response> {
    const { url, key, user, signal } = this.connection;
    const address = new URL(`${url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    return this.reaching(() =>
      fetch(address, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${key}`,
          ...(user !== undefined && { 'x-millrace-user': user }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    );
  }

  private async problemOf(response: Response): Promise<Problem> {
    const text = await this.reaching(() => response.text());
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    const problem = isProblem ? readProblem(this.parsed(text, response)) : undefined;
    if (!problem) throw answersStrangely(this.url, `status ${response.status}`);
    return problem;
  }

  private parsed(text: string, response: Response): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw answersStrangely(this.url, `status ${response.status}, no JSON`);
    }
  }
}

/** The fields of an answer that are used. */
export function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(answer);
  if (!error) return data;
  const { path = [], message } = error.issues[0] ?? {};
  throw new CommandError(
    `an answer is not as this version expects it (${path.join('.')}: ${message}); is Millrace of another version? --json shows it as it is`,
    EXIT.failed,
  );
}
