import type { HttpClient } from '../../platform/http/http-client.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { mediaType } from './media-type.js';

/** Timeouts in milliseconds, short because a user waits for the answer. */
const TIMEOUTS = { connect: 5_000, headers: 8_000, body: 5_000, total: 10_000, line: 10_000 };
const FIRST_BYTES = 64;
const MAX_START_LENGTH = 65_536;
const CONCURRENCY = 4;
/** After these statuses the file is requested with GET, because some servers refuse HEAD. */
const ASK_OTHERWISE = [400, 401, 403, 405, 406, 500, 501];

export interface MediaCheck {
  problem?: string;
  type?: string | undefined;
}

interface MediaCheckOptions {
  http: Pick<HttpClient, 'request'>;
  mostBytes: number;
}

export async function checkMedia(urls: string[], options: MediaCheckOptions): Promise<Map<string, MediaCheck>> {
  const seen = new Map<string, MediaCheck>();
  const waiting = [...new Set(urls)];
  const checkNext = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift())
      seen.set(url, await checkFile(url, options));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
  return seen;
}

async function checkFile(url: string, { http, mostBytes }: MediaCheckOptions): Promise<MediaCheck> {
  try {
    const head = await http.request(url, { method: 'HEAD', timeouts: TIMEOUTS });
    const answer = ASK_OTHERWISE.includes(head.status) || !isTelling(head) ? await startOf(url, http) : head;
    if (answer === 'there') return {};
    if (answer.status < 200 || answer.status > 299) return { problem: `its server answers ${answer.status}` };
    const bytes = sizeOf(answer);
    if (bytes > mostBytes) return { problem: `it is ${bytes} bytes, ${bytes - mostBytes} more than can be sent on` };
    return bytes === 0 ? { problem: 'it is empty' } : { type: typeOf(answer) };
  } catch (error) {
    if (error instanceof OutgoingRequestError) return { problem: error.message };
    throw error;
  }
}

/** Servers that ignore the range send the whole file. Then it is only known that the file exists. */
async function startOf(url: string, http: MediaCheckOptions['http']): Promise<HttpResponse | 'there'> {
  const headers = { range: `bytes=0-${FIRST_BYTES - 1}` };
  try {
    return await http.request(url, { headers, maxBytes: MAX_START_LENGTH, timeouts: TIMEOUTS });
  } catch (error) {
    if (error instanceof OutgoingRequestError && error.code === 'TOO_LARGE') return 'there';
    throw error;
  }
}

/** An error status needs no second request. */
const isTelling = ({ status, headers }: HttpResponse) =>
  status >= 300 || (headers['content-length'] !== undefined && headers['content-type'] !== undefined);

function sizeOf({ headers, body }: HttpResponse): number {
  const whole = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length'];
  return whole === undefined ? body.length : Number(whole);
}

function typeOf({ headers, body }: HttpResponse): string | undefined {
  const type = mediaType(body, headers['content-type']);
  return type === 'application/octet-stream' || type === 'binary/octet-stream' ? undefined : type;
}
