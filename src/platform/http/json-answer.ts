import type { z } from 'zod';
import { ThreadDied, ThreadTimeout } from '../threads/thread-error.js';
import { ThreadPool } from '../threads/thread-pool.js';
import { type JsonLimits, type ParsedJson, parseBounded, REMOTE_JSON, tooManyBytes } from './bounded-json.js';
import { decodeCharset } from './decode-charset.js';
import type { HttpResponse } from './http-response.js';
import type { JsonDocument } from './json.thread.js';

/** Longer JSON is parsed in a thread, which does not block the event loop and dies alone if it runs out of memory. */
const MAX_INLINE_BYTES = 262_144;

const threads = new ThreadPool<JsonDocument, ParsedJson>({
  module: new URL('./json.thread.js', import.meta.url),
  size: 1,
  timeoutMs: 10_000,
  memoryMb: 512,
});

type JsonAnswer<T> = { data: T } | { breach: string; cause?: unknown };

export async function readRemoteJson<T>(
  { body, headers }: Pick<HttpResponse, 'body' | 'headers'>,
  schema: z.ZodType<T>,
  limits: JsonLimits = REMOTE_JSON,
): Promise<JsonAnswer<T>> {
  return checked(await parseRemoteJson(body, { contentType: headers['content-type'], limits }), schema);
}

export function readJsonIf<T>(response: HttpResponse, schema: z.ZodType<T>): T | undefined {
  const { length } = response.body;
  if (length === 0 || length > MAX_INLINE_BYTES) return undefined;
  const answer = checked(parseBounded(response.text(), REMOTE_JSON), schema);
  return 'data' in answer ? answer.data : undefined;
}

export async function parseRemoteJson(
  body: Uint8Array,
  { contentType, limits }: { contentType?: string | undefined; limits: JsonLimits },
): Promise<ParsedJson> {
  if (body.length > limits.maxBytes) return { breach: tooManyBytes(limits) };
  if (body.length <= MAX_INLINE_BYTES) return parseBounded(decodeCharset(body, contentType), limits);
  const copy = new Uint8Array(body);
  try {
    return await threads.run({ body: copy, contentType, limits }, [copy.buffer]);
  } catch (cause) {
    if (cause instanceof ThreadTimeout || cause instanceof ThreadDied)
      return { breach: 'answers with JSON that takes too much to read', cause };
    throw cause;
  }
}

function checked<T>(parsed: ParsedJson, schema: z.ZodType<T>): JsonAnswer<T> {
  if ('breach' in parsed) return parsed;
  const read = schema.safeParse(parsed.value);
  if (read.success) return { data: read.data };
  const [issue] = read.error.issues;
  const field = issue?.path.length ? issue.path.join('.') : 'the answer';
  return { breach: `does not answer as its API says: ${field}: ${issue?.message}` };
}
