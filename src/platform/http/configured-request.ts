import { userAgent } from '../process/version.js';
import { parseWebAddress } from './web-address.js';

interface ConfiguredRequest {
  /** From the connection to the end of the body. */
  timeoutMs: number;
  contactUrl: string | undefined;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** For URLs that the operator configures, which may be private, so the address guard does not apply. */
export async function requestConfigured(address: string, request: ConfiguredRequest): Promise<Response> {
  const { timeoutMs, contactUrl, headers, ...content } = request;
  const { url, authorization } = parseWebAddress(address) ?? {};
  // `fetch` rejects URLs with credentials.
  if (!url) throw new Error('it is no http or https address');
  return fetch(url, {
    ...content,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': userAgent(contactUrl), ...(authorization && { authorization }), ...headers },
  });
}

/** Fails if the body is longer. */
export async function readBody({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`it answered with more than ${maxBytes.toLocaleString('en')} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Names the cause without the URL, whose path and user are often secret. */
export function describeFailure(error: unknown, timeoutMs: number): string {
  const { cause, name, message } = error as Error;
  if (name === 'TimeoutError') return `it did not answer within ${timeoutMs / 1_000} seconds`;
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
}
