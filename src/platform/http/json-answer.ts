import type { z } from 'zod';
import type { HttpResponse } from './http-response.js';

/** What an API answered; or how it breaks its own documentation, in words that continue a sentence about it. */
export type JsonAnswer<T> = { data: T } | { breach: string; cause?: unknown };

export function jsonAnswer<T>(response: HttpResponse, schema: z.ZodType<T>): JsonAnswer<T> {
  const json = parse(response);
  if ('breach' in json) return json;
  const read = schema.safeParse(json.data);
  if (read.success) return { data: read.data };
  const [issue] = read.error.issues;
  const field = issue?.path.length ? issue.path.join('.') : 'the answer';
  return { breach: `does not answer as its API says: ${field}: ${issue?.message}` };
}

/** An API's answer that may be anything: undefined if it is not what is looked for. */
export function readJsonIf<T>(response: HttpResponse, schema: z.ZodType<T>): T | undefined {
  const answer = jsonAnswer(response, schema);
  return 'data' in answer ? answer.data : undefined;
}

function parse(response: HttpResponse): JsonAnswer<unknown> {
  const text = response.text();
  try {
    return { data: JSON.parse(text) };
  } catch (cause) {
    return { breach: 'answers with something that is no JSON', cause };
  }
}
