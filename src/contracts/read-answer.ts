import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { breaches } from './breaches.js';

/** Of a worker's answer. Posts and leads are at most 1,000 each; what a lead carries along as `raw` may be as large again. */
const LIMITS = { maxBytes: 10 * 1024 * 1024, maxDepth: 500, maxValues: 300_000, maxItems: 2_000 };

type Parse = (
  body: Uint8Array,
  options: { limits: typeof LIMITS },
) => Promise<{ value: unknown } | { breach: string; cause?: unknown }>;

/** A worker's answer if it keeps the contract, or where it breaks it. `parse` reads JSON within limits. */
export async function readAnswer<Answer>(
  schema: z.ZodType<Answer>,
  body: Uint8Array,
  parse: Parse,
): Promise<{ answer: Answer } | { breach: string }> {
  if (!isUtf8(body)) return { breach: 'message: not JSON, written in UTF-8' };
  const parsed = await parse(body, { limits: LIMITS });
  if ('breach' in parsed) return { breach: `message: ${parsed.breach}` };
  const checked = schema.safeParse(parsed.value);
  return checked.success ? { answer: checked.data } : { breach: breaches(checked.error) };
}
