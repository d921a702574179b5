import type { z } from 'zod';
import type { JsonLimits } from '../../platform/http/bounded-json.js';
import { type HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { storableText } from '../../platform/jobs/storable.js';
import { ScrapeFailure } from '../scraper.js';

const MAX_WORDS_LENGTH = 300;

export interface Refused {
  place: string;
  words?: string | undefined;
  secrets?: (string | undefined)[] | undefined;
  /** Whether the message reports an exhausted quota that the status does not show. */
  exhausted?: boolean | undefined;
  /** The environment variables to check if the request or the credentials are refused. */
  variables?: string[] | undefined;
}

export function refusal({ status, retryAfter }: HttpResponse, refused: Refused): ScrapeFailure {
  const { place, exhausted = status === 429, variables = [] } = refused;
  const words = tidied(refused);
  const said = words && `: ${words}`;
  if (exhausted) return new ScrapeFailure(`${place} allows no more requests for now${said}`, { until: retryAfter });
  if (status >= 500) {
    return new ScrapeFailure(`${place} answered ${status}${said}`, { retryable: true, until: retryAfter });
  }
  const hint = status >= 400 && variables.length ? ` (check ${variables.join(' and ')})` : '';
  return new ScrapeFailure(`${place} answered ${status}${said}${hint}`);
}

function tidied({ words = '', secrets = [] }: Refused): string {
  const shown = secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '(hidden)') : text), words);
  return storableText(shown.trimStart().slice(0, MAX_WORDS_LENGTH * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS_LENGTH)
    .toWellFormed();
}

export async function readJson<T>(
  response: HttpResponse,
  schema: z.ZodType<T>,
  { place, limits }: { place: string; limits?: JsonLimits },
): Promise<T> {
  const answer = await readRemoteJson(response, schema, limits);
  if ('data' in answer) return answer.data;
  throw new ScrapeFailure(`${place} ${answer.breach}`, { cause: answer.cause });
}
