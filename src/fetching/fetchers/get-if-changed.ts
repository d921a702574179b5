import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../platform/http/http-response.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import { type FetcherTools, FetchFailure } from '../fetcher.js';

interface ConditionalRequest {
  url: string | URL;
  validators: Validators;
  signal: AbortSignal;
}

interface ConditionalResponse {
  response: HttpResponse;
  unchanged: boolean;
  notModified: boolean;
  validators: Validators;
}

/** The caller must handle statuses other than 200 and 304. */
export async function getIfChanged(
  { url, validators, signal }: ConditionalRequest,
  { http }: FetcherTools,
): Promise<ConditionalResponse> {
  const response = await http.get(String(url), { validators, signal });
  if (response.status === 304) {
    if (!validators.etag && !validators.lastModified) throw unexpectedNotModified(response);
    const kept = { ...validators, ...response.validators };
    return { response, unchanged: true, notModified: true, validators: kept };
  }
  const bodyHash = createHash('sha256').update(response.body).digest('base64url');
  const unchanged = response.status === 200 && bodyHash === validators.bodyHash;
  return { response, unchanged, notModified: false, validators: { ...response.validators, bodyHash } };
}

function unexpectedNotModified({ url }: HttpResponse): FetchFailure {
  return new FetchFailure('INVALID_CONTENT', `${new URL(url).host} answered 304 to a question without conditions`);
}
