import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, EXIT } from '../command.js';
import type { Answer, ApiClient, Input } from './api-client.js';

/** The OpenAPI document does not describe events. Each of them carries what the API also answers elsewhere. */
interface Streams {
  '/feed/stream': { post: Answer<'get', '/posts/{id}'>; reset: unknown };
  '/health/stream': { health: Answer<'get', '/health'> };
  '/imports/{id}/stream': { import: Answer<'get', '/imports/{id}'> };
  '/jobs/scrape/{id}/stream': { job: Answer<'get', '/jobs/scrape/{id}'> };
  '/publications/stream': { publication: Answer<'get', '/publications/{id}'>; reset: unknown };
}
type StreamPath = keyof Streams;

/** `open` precedes the events of each connection. */
type StreamEvent<P extends StreamPath> =
  | { [Name in keyof Streams[P]]: { event: Name; data: Streams[P][Name] } }[keyof Streams[P]]
  | { event: 'open'; data?: undefined };

const RECONNECT_MS = 1_000;
/** Attempts to reconnect go on for longer than a restart of the server takes. */
const MAX_FAILURES = 30;

/** Watches a stream until `see` returns something, and returns that. */
export async function watchUntil<P extends StreamPath, Result>(
  api: ApiClient,
  path: P,
  input: Input<'get', P>,
  see: (event: StreamEvent<P>) => Result | undefined | Promise<Result | undefined>,
): Promise<Result> {
  for await (const event of eventsOf(api, path, input)) {
    const result = await see(event);
    if (result !== undefined) return result;
  }
  throw new Error('the stream ended although it reconnects');
}

/** Adds to an error that the watched work itself continues. */
export async function continuing<T>(sentence: string, watch: () => Promise<T>): Promise<T> {
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError([error.message, sentence].filter(Boolean).join('\n'), error.exitCode);
  }
}

/** Yields events without end: it reconnects whenever the stream ends, and tells the server the last event it has seen. */
export async function* eventsOf<P extends StreamPath>(
  api: ApiClient,
  path: P,
  input: Input<'get', P>,
): AsyncGenerator<StreamEvent<P>> {
  let lastId: string | undefined;
  let failures: number | undefined;
  for (;;) {
    try {
      const response = await api.open(path, { ...input, header: { 'Last-Event-ID': lastId } });
      failures = 0;
      yield { event: 'open' };
      for await (const { id, event, data } of readEvents(api, response)) {
        lastId = id ?? lastId;
        yield { event, data } as StreamEvent<P>;
      }
    } catch (error) {
      if (failures === undefined || !isTemporary(error) || failures >= MAX_FAILURES) throw error;
      failures += 1;
    }
    await api.reaching(() => sleep(RECONNECT_MS, undefined, { signal: api.signal }));
  }
}

const isTemporary = (error: unknown) => error instanceof CommandError && error.exitCode === EXIT.unreachable;

async function* readEvents(api: ApiClient, response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await api.reaching(() => reader.read());
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    // A stream that failed fails again when it is cancelled.
    await reader.cancel().catch(() => undefined);
  }
}

/** Blocks without data, such as comments and `retry`, are not events. */
export function parseEvent(block: string): { event: string; id: string | undefined; data: unknown } | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      return [name, value] as const;
    }),
  );
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) };
}
