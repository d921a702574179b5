import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, EXIT } from '../command.js';
import type { ApiClient } from './api-client.js';

interface StreamEvent {
  event: string;
  id?: string | undefined;
  data: unknown;
}

const PAUSE_MS = 1_000;
/** A restart takes less. */
const MAX_FAILURES = 30;

/** Watches until `see` has seen what it waits for, and ends with that. */
export async function watchUntil<T>(
  api: ApiClient,
  path: string,
  see: (event: StreamEvent) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  for await (const event of eventsOf(api, path)) {
    const seen = await see(event);
    if (seen !== undefined) return seen;
  }
  throw new Error('a stream without end has ended');
}

/** Events without end: streams end now and then, and a server may be started anew. `open` tells of each beginning. */
export async function* eventsOf(api: ApiClient, path: string): AsyncGenerator<StreamEvent> {
  let lastId: string | undefined;
  let failures: number | undefined;
  for (;;) {
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await api.open(path, { headers });
      failures = 0;
      yield { event: 'open', data: undefined };
      for await (const event of readEvents(api, response)) {
        lastId = event.id ?? lastId;
        yield event;
      }
    } catch (error) {
      if (failures === undefined || !mayPass(error) || failures >= MAX_FAILURES) throw error;
      failures += 1;
    }
    await api.reaching(() => sleep(PAUSE_MS, undefined, { signal: api.signal }));
  }
}

const mayPass = (error: unknown) => error instanceof CommandError && error.exitCode === EXIT.unreachable;

async function* readEvents(api: ApiClient, response: Response): AsyncGenerator<StreamEvent> {
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
    // A stream that broke says so again; whoever reads knows already.
    await reader.cancel().catch(() => undefined);
  }
}

/** Comments, and what only tells how long to wait, are no events. */
export function parseEvent(block: string): StreamEvent | undefined {
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
