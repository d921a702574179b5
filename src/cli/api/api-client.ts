import { setTimeout as sleep } from 'node:timers/promises';
import type { paths } from '../../contracts/api.js';
import { CommandError, EXIT } from '../command.js';
import { cannotReach, notMillrace, type Problem, Refused, readProblem } from './api-error.js';

const PREFIX = '/api/v1';
/** The client waits at most this long for a request limit, then fails. */
const MAX_WAIT_SECONDS = 60;
const TOO_MANY_REQUESTS = 429;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Paths = { [P in keyof paths as P extends `${typeof PREFIX}${infer Short}` ? Short : never]: paths[P] };
type Operation<M extends Method, P extends string> = P extends keyof Paths
  ? M extends keyof Paths[P]
    ? Paths[P][M]
    : never
  : never;
type JsonOf<Message> = Message extends { content: { 'application/json': infer Json } } ? Json : never;
type ResponsesOf<O> = O extends { responses: infer Responses } ? Responses[keyof Responses & (200 | 201 | 202)] : never;
type BodyOf<O> = O extends { requestBody?: infer Body } ? JsonOf<Body> : never;
type ParametersOf<O> = O extends { parameters: infer Parameters } ? Omit<Parameters, 'cookie'> : never;

/** The short paths, such as `/sources/{id}`, that have this method. */
export type Path<M extends Method> = keyof { [P in keyof Paths as M extends keyof Paths[P] ? P : never]: P } & string;

/** The JSON with which the API answers. */
export type Answer<M extends Method, P extends Path<M>> = JsonOf<ResponsesOf<Operation<M, P>>>;

/** Optional fields may also be given as undefined, which is not sent. */
type Loose<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]: Loose<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
    : T;

/** What a request may or must contain: parameters in `path`, `query` and `header`, and a `body`. */
export type Input<M extends Method, P extends Path<M>> = Request &
  Loose<ParametersOf<Operation<M, P>>> &
  BodyInput<Operation<M, P>>;
type BodyInput<O> = [BodyOf<O>] extends [never]
  ? { body?: undefined }
  : O extends { requestBody: object }
    ? { body: Loose<BodyOf<O>> }
    : { body?: Loose<BodyOf<O>> };

type Inputs<M extends Method, P extends Path<M>> =
  Record<never, never> extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>];

interface Request {
  path?: Record<string, string> | undefined;
  query?: Record<string, string | number | undefined> | undefined;
  header?: Record<string, string | undefined> | undefined;
  body?: unknown;
}

interface Connection {
  /** Without a slash at its end. */
  url: string;
  key: string;
  /** The user whom an admin key acts for. */
  user?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called when the API asks the client to wait. */
  onWait?: (seconds: number) => void;
}

/** Answers have the types of the OpenAPI document; a server of another version may answer differently. */
export class ApiClient {
  constructor(private readonly connection: Connection) {}

  get url(): string {
    return this.connection.url;
  }

  get signal(): AbortSignal | undefined {
    return this.connection.signal;
  }

  get<P extends Path<'get'>>(path: P, ...input: Inputs<'get', P>): Promise<Answer<'get', P>> {
    return this.json('get', path, ...input);
  }

  post<P extends Path<'post'>>(path: P, ...input: Inputs<'post', P>): Promise<Answer<'post', P>> {
    return this.json('post', path, ...input);
  }

  put<P extends Path<'put'>>(path: P, ...input: Inputs<'put', P>): Promise<Answer<'put', P>> {
    return this.json('put', path, ...input);
  }

  patch<P extends Path<'patch'>>(path: P, ...input: Inputs<'patch', P>): Promise<Answer<'patch', P>> {
    return this.json('patch', path, ...input);
  }

  delete<P extends Path<'delete'>>(path: P, ...input: Inputs<'delete', P>): Promise<Answer<'delete', P>> {
    return this.json('delete', path, ...input);
  }

  /** Returns once the headers have arrived; the caller reads the body, for example a stream of events. */
  open(path: Path<'get'>, request: Request): Promise<Response> {
    return this.request('get', path, request);
  }

  /** Turns errors of the network into messages for people, and an abort into the end of the command. */
  async reaching<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      if (this.connection.signal?.aborted) throw new CommandError('', EXIT.interrupted);
      throw cannotReach(this.url, error);
    }
  }

  private async json<T>(method: Method, path: string, request?: Request): Promise<T> {
    const response = await this.request(method, path, request);
    const text = await this.reaching(() => response.text());
    return this.parse(text === '' ? '{}' : text, response);
  }

  private async request(method: Method, path: string, request: Request = {}): Promise<Response> {
    for (;;) {
      const response = await this.send(method, path, request);
      if (response.ok) return response;
      const problem = await this.problemOf(response);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== TOO_MANY_REQUESTS || !(seconds <= MAX_WAIT_SECONDS)) throw new Refused(problem);
      this.connection.onWait?.(seconds);
      await this.reaching(() => sleep(seconds * 1_000, undefined, { signal: this.connection.signal }));
    }
  }

  private send(method: Method, path: string, { path: names = {}, query, header, body }: Request): Promise<Response> {
    const { url, key, user, signal } = this.connection;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const address = new URL(`${url}${PREFIX}${filled}`);
    for (const [name, value] of given(query)) address.searchParams.set(name, String(value));
    const headers = new Headers({ authorization: `Bearer ${key}` });
    if (user !== undefined) headers.set('x-millrace-user', user);
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of given(header)) headers.set(name, String(value));
    return this.reaching(() =>
      fetch(address, {
        method: method.toUpperCase(),
        redirect: 'manual',
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      }),
    );
  }

  private async problemOf(response: Response): Promise<Problem> {
    const text = await this.reaching(() => response.text());
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    const problem = isProblem ? readProblem(this.parse(text, response)) : undefined;
    if (!problem) throw notMillrace(this.url, `status ${response.status}`);
    return problem;
  }

  private parse<T>(text: string, response: Response): T {
    try {
      return JSON.parse(text);
    } catch {
      throw notMillrace(this.url, `status ${response.status}, not JSON`);
    }
  }
}

const given = (fields: Record<string, unknown> = {}) =>
  Object.entries(fields).filter(([, value]) => value !== undefined);
