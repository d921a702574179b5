import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../platform/http/http-response.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import { type FetcherTools, FetchFailure } from '../fetcher.js';

interface Question {
  url: string | URL;
  validators: Validators;
  signal: AbortSignal;
}

interface Answered {
  response: HttpResponse;
  /** Nothing is new since the validators were given: said by the server, or seen by the body. */
  unchanged: boolean;
  notModified: boolean;
  /** For the next time. */
  validators: Validators;
}

/** Asks for a page, and whether it is another than last time. Takes 200 for a page; other answers are the caller's to judge. */
export async function getIfChanged({ url, validators, signal }: Question, { http }: FetcherTools): Promise<Answered> {
  const response = await http.get(String(url), { validators, signal });
  if (response.status === 304) {
    if (!validators.etag && !validators.lastModified) throw unasked(response);
    const kept = { ...validators, ...response.validators };
    return { response, unchanged: true, notModified: true, validators: kept };
  }
  const bodyHash = createHash('sha256').update(response.body).digest('base64url');
  const unchanged = response.status === 200 && bodyHash === validators.bodyHash;
  return { response, unchanged, notModified: false, validators: { ...response.validators, bodyHash } };
}

function unasked({ url }: HttpResponse): FetchFailure {
  return new FetchFailure('INVALID_CONTENT', `${new URL(url).host} answered 304 to a question without conditions`);
}
