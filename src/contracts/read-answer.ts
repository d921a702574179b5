import type { z } from 'zod';
import { breaches } from './breaches.js';

/** A worker's answer if it keeps the contract, or where it breaks it. */
export function readAnswer<Answer>(
  schema: z.ZodType<Answer>,
  body: Uint8Array,
): { answer: Answer } | { breach: string } {
  const parsed = parseJson(body);
  if (!parsed) return { breach: 'message: not JSON, written in UTF-8' };
  const checked = schema.safeParse(parsed.value);
  return checked.success ? { answer: checked.data } : { breach: breaches(checked.error) };
}

function parseJson(body: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}
