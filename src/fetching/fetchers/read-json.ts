import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { storableText } from '../../platform/queue/storable.js';
import { FetchFailure } from '../fetcher.js';

/** An API's answer as its documentation promises it. */
export async function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): Promise<T> {
  const answer = await readRemoteJson(response, schema);
  if ('data' in answer) return answer.data;
  const { breach, cause } = answer;
  throw new FetchFailure('INVALID_CONTENT', `${new URL(response.url).host} ${breach}`, { cause });
}

/** A text that ends up elsewhere than in a post, which is cleaned as a whole. */
export const Text = z.string().transform(storableText);

/** A text that nothing depends on: undefined if there is none, or something else in its place. */
export const OptionalText = z.string().nullish().catch(undefined);

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
