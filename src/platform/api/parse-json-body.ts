export type JsonBody = { value: unknown } | { problem: string };

/** Matches a field named `__proto__`, however it is escaped, but no string value. It takes linear time. */
const PROTO_KEY =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

/** An empty body counts as missing, because some clients declare JSON on every DELETE. */
export function parseJsonBody(body: Uint8Array): JsonBody {
  if (!body.length) return { value: undefined };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (PROTO_KEY.test(text)) return { problem: 'The body has a field named `__proto__`.' };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `The body is not JSON: ${error instanceof Error ? error.message : error}.` };
  }
}
