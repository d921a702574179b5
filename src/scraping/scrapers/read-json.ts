import type { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { jsonAnswer } from '../../platform/http/json-answer.js';
import { ScrapeFailure } from '../scraper.js';

/** An API's answer as its documentation promises it. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>, place: string): T {
  const answer = jsonAnswer(response, schema);
  if ('data' in answer) return answer.data;
  throw new ScrapeFailure(`${place} ${answer.breach}`, { cause: answer.cause });
}
