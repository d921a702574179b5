import type { z } from 'zod';
import type { JsonLimits } from '../../platform/http/bounded-json.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { ScrapeFailure } from '../scraper.js';

/** Parses an API's answer against its documented form. */
export async function readJson<T>(
  response: HttpResponse,
  schema: z.ZodType<T>,
  { place, limits }: { place: string; limits?: JsonLimits },
): Promise<T> {
  const answer = await readRemoteJson(response, schema, limits);
  if ('data' in answer) return answer.data;
  throw new ScrapeFailure(`${place} ${answer.breach}`, { cause: answer.cause });
}
