import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';

/**
 * Limits of a worker's answer. It has at most 1,000 posts or leads, and the `raw` data of leads may double its size.
 */
const LIMITS = { maxBytes: 10 * 1024 * 1024, maxDepth: 500, maxValues: 300_000, maxItems: 2_000 };

type Parse = (
  body: Uint8Array,
  options: { limits: typeof LIMITS },
) => Promise<{ value: unknown } | { breach: string; cause?: unknown }>;

/** Returns a worker's answer, or how it breaks the contract. `parse` reads JSON within limits. */
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

/** Describes in one line how a message breaks the contract: `data.posts.3.externalId: …`. */
export function breaches({ issues }: z.ZodError): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'message'}: ${message}`);
  return issues.length > shown.length
    ? `${shown.join('; ')}; and ${issues.length - shown.length} more`
    : shown.join('; ');
}
