import { markFailed, traced } from '../tracing/traced.js';
import type { Hop } from './hop.js';
import type { Answer } from './wire.js';

/** Traces one outgoing request. Paths and queries may hold secrets and are not recorded. */
export function tracedExchange({ method, url }: Hop, exchange: () => Promise<Answer>): Promise<Answer> {
  const attributes = {
    'http.request.method': method,
    'url.scheme': url.protocol.slice(0, -1),
    'server.address': url.hostname,
    ...(url.port && { 'server.port': Number(url.port) }),
  };
  return traced({ name: method, kind: 'CLIENT', attributes }, async (span) => {
    const answer = await exchange();
    span.setAttribute('http.response.status_code', answer.status);
    if (answer.status >= 400) markFailed(span, String(answer.status));
    return answer;
  });
}
