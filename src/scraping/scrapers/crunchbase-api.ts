import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import { joinUrl } from '../../platform/http/web-address.js';
import type { ScrapeFailure, ScraperTools } from '../scraper.js';
import { readJson, refusal } from './api-answer.js';

export const PLACE = 'Crunchbase';
export const KEY_VARIABLE = 'MILLRACE_CRUNCHBASE_KEY';

interface CrunchbaseRequest<T> {
  path: string;
  parameters?: Record<string, string>;
  body?: object;
  answer: z.ZodType<T>;
}

export async function askCrunchbase<T>(request: CrunchbaseRequest<T>, tools: ScraperTools): Promise<T> {
  const { path, parameters = {}, body, answer } = request;
  const { http, config, signal } = tools;
  signal.throwIfAborted();
  const url = joinUrl(config.crunchbaseUrl, `api/v4/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const response = await http.request(url.href, {
    method: body ? 'POST' : 'GET',
    headers: {
      'X-cb-user-key': config.crunchbaseKey ?? '',
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal,
  });
  if (response.status !== 200) throw refused(response, config.crunchbaseKey);
  return readJson(response, answer, { place: PLACE });
}

/** The documentation describes a single object, but a refused key is answered with a list. */
const Complaint = z.union([
  z.object({ value: z.string() }).transform(({ value }) => value),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.array(z.object({ message: z.string() })).transform((all) => all.map(({ message }) => message).join('; ')),
]);

function refused(response: HttpResponse, key: string | undefined): ScrapeFailure {
  return refusal(response, {
    place: PLACE,
    words: readJsonIf(response, Complaint),
    secrets: [key],
    variables: response.status === 401 || response.status === 403 ? [KEY_VARIABLE] : [],
  });
}
