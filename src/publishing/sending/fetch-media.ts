import type { HttpClient } from '../../platform/http/http-client.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { redactAddress } from '../../platform/redact.js';
import { type MediaFile, PublishFailure, type PublishFailureCode } from '../platform.js';
import { mediaType } from '../publications/media-type.js';

/** A large video over a slow line. */
const LONGEST_MS = 10 * 60_000;
const BLAME = ['INVALID_URL', 'ADDRESS_REFUSED', 'TOO_LARGE', 'TOO_MANY_REDIRECTS'];

interface MediaRequest {
  http: Pick<HttpClient, 'get'>;
  signal: AbortSignal;
  mostBytes: number;
}

/** A file that a publication names. Fails with REFUSED where trying again cannot help, with NOT_YET where its host is to be asked later, with UNREACHABLE where it does not answer, else with UNAVAILABLE. */
export async function fetchMedia(url: string, { http, signal, mostBytes }: MediaRequest): Promise<MediaFile> {
  const { status, headers, body } = await answered(url, { http, signal, mostBytes });
  if (status === 200) return { bytes: body, type: mediaType(body, headers['content-type']), name: nameIn(url) };
  const code = status >= 400 && status < 500 && status !== 429 ? 'REFUSED' : 'UNAVAILABLE';
  throw new PublishFailure(code, `the file ${redactAddress(url)} could not be fetched: the server answered ${status}`);
}

async function answered(url: string, { http, signal, mostBytes }: MediaRequest) {
  try {
    return await http.get(url, { signal, maxBytes: mostBytes, timeouts: { total: LONGEST_MS } });
  } catch (error) {
    if (!(error instanceof OutgoingRequestError)) throw error;
    const { message, until } = error;
    throw new PublishFailure(codeOf(error), `the file ${redactAddress(url)} could not be fetched: ${message}`, {
      cause: error,
      until,
    });
  }
}

function codeOf({ code, until }: OutgoingRequestError): PublishFailureCode {
  if (until) return 'NOT_YET';
  return BLAME.includes(code) ? 'REFUSED' : 'UNREACHABLE';
}

function nameIn(url: string): string {
  const name = decodeURI(new URL(url).pathname)
    .split('/')
    .at(-1)
    ?.replace(/[^\w.-]+/g, '-');
  return name?.slice(-100) || 'file';
}
