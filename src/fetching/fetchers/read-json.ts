import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { storableText } from '../../platform/jobs/storable.js';
import { FetchFailure } from '../fetcher.js';

export async function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): Promise<T> {
  const answer = await readRemoteJson(response, schema);
  if ('data' in answer) return answer.data;
  const { breach, cause } = answer;
  throw new FetchFailure('INVALID_CONTENT', `${new URL(response.url).host} ${breach}`, { cause });
}

export const Text = z.string().transform(storableText);

export const OptionalText = z.string().nullish().catch(undefined);

/** A count, such as likes. An invalid value is ignored, because the post is valid without it. */
export const Count = z.int().nonnegative().optional().catch(undefined);

export const Moment = z
  .string()
  .nullish()
  .transform((text) => {
    const at = new Date(text ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? undefined : at;
  });
