import type { z } from 'zod';
import { breaches } from './breaches.js';

/** Deeper than any site's data, and shallow enough for whoever walks through it. */
const DEEPEST = 500;

/** A worker's answer if it keeps the contract, or where it breaks it. */
export function readAnswer<Answer>(
  schema: z.ZodType<Answer>,
  body: Uint8Array,
): { answer: Answer } | { breach: string } {
  const parsed = parseJson(body);
  if (!parsed) return { breach: 'message: not JSON, written in UTF-8' };
  if (isDeeper(parsed.value, DEEPEST)) return { breach: `message: nested more than ${DEEPEST} deep` };
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

function isDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
