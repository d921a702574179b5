import { serveThread } from '../threads/serve-thread.js';
import { type JsonLimits, type ParsedJson, parseBounded } from './bounded-json.js';
import { decodeCharset } from './decode-charset.js';

export interface JsonDocument {
  body: Uint8Array;
  contentType: string | undefined;
  limits: JsonLimits;
}

serveThread(({ body, contentType, limits }: JsonDocument): ParsedJson => {
  const parsed = parseBounded(decodeCharset(body, contentType), limits);
  // The parser's error is not transferred, because callers only need to know that there was one.
  return 'breach' in parsed ? { breach: parsed.breach } : parsed;
});
