import type { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { ScrapeFailure } from '../scraper.js';

/** An API's answer as its documentation promises it. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>, place: string): T {
  const read = schema.safeParse(parse(response, place));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.length ? issue.path.join('.') : 'the answer';
  throw new ScrapeFailure(`${place} does not answer as its API says: ${field}: ${issue?.message}`);
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

function parse(response: HttpResponse, place: string): unknown {
  try {
    return JSON.parse(response.text());
  } catch (cause) {
    throw new ScrapeFailure(`${place} answers with something that is no JSON`, { cause });
  }
}
