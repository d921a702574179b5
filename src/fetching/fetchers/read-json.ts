import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { storableText } from '../../platform/queue/storable.js';
import { FetchFailure } from '../fetcher.js';

/** An API's answer as its documentation promises it. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  const { host } = new URL(response.url);
  const read = schema.safeParse(parse(response, host));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.length ? issue.path.join('.') : 'the answer';
  throw new FetchFailure('INVALID_CONTENT', `${host} does not answer as its API says: ${field}: ${issue?.message}`);
}

/** An API's answer that may be anything: undefined if it is not what is looked for. */
export function readJsonIf<T>(response: HttpResponse, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(response.text())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parse(response: HttpResponse, host: string): unknown {
  try {
    return JSON.parse(response.text());
  } catch (cause) {
    throw new FetchFailure('INVALID_CONTENT', `${host} answers with something that is no JSON`, { cause });
  }
}

/** A text that ends up elsewhere than in a post, which is cleaned as a whole. */
export const Text = z.string().transform(storableText);

/** A number of likes and the like. What is no such number is not worth failing for. */
export const Count = z.int().nonnegative().optional().catch(undefined);

/** A moment as an API writes it; undefined where it cannot be read. */
export const Moment = z
  .string()
  .nullish()
  .transform((text) => {
    const at = new Date(text ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? undefined : at;
  });
