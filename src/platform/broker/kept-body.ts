import { createHash } from 'node:crypto';
import { z } from 'zod';
import { excessOf } from '../http/bounded-json.js';
import { isStorable } from '../jobs/storable.js';

const MAX_BYTES = 256 * 1024;
/** JSON beyond these limits is stored as text, because very deep values cannot be serialised. */
const JSON_LIMITS = { maxDepth: 100, maxValues: 50_000, maxItems: 50_000 };

export const KeptBody = z.object({
  encoding: z.enum(['json', 'text', 'base64']),
  body: z.unknown(),
  bytes: z.int(),
  truncated: z.boolean(),
});
export type KeptBody = z.infer<typeof KeptBody>;

export function keepBody(bytes: Buffer): KeptBody {
  const truncated = bytes.length > MAX_BYTES;
  const start = bytes.subarray(0, MAX_BYTES);
  const about = { bytes: bytes.length, truncated };
  const text = asText(start, { mayEndAnywhere: truncated });
  if (text === undefined) return { encoding: 'base64', body: start.toString('base64'), ...about };
  const json = asFaithfulJson(text);
  return json ? { encoding: 'json', body: json.value, ...about } : { encoding: 'text', body: text, ...about };
}

export function bytesOf({ encoding, body }: KeptBody): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify(body));
  return Buffer.from(String(body), encoding === 'text' ? 'utf8' : 'base64');
}

export function fingerprint(kept: KeptBody): string {
  const { encoding, body, bytes } = kept;
  const text = encoding === 'json' ? JSON.stringify(sorted(body)) : `${encoding} ${bytes} ${body}`;
  return createHash('sha256').update(text).digest('hex');
}

function asText(bytes: Buffer, { mayEndAnywhere }: { mayEndAnywhere: boolean }): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes, { stream: mayEndAnywhere });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** JSON stays text if storing it would change it: long numbers, characters that PostgreSQL cannot store. */
function asFaithfulJson(text: string): { value: unknown } | undefined {
  if (excessOf(text, JSON_LIMITS)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isStorable(value) && !hasLongNumber(text) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Expects valid JSON. Digits in strings are safe, and many ids have that many. */
const hasLongNumber = (json: string) => /\d{16}/.test(json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, ''));

/** PostgreSQL stores the fields of an object in its own order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
