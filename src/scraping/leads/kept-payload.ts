import { storableText } from '../../platform/queue/storable.js';

const MOST_BYTES = 100_000;
const DEEPEST = 50;
const TOO_DEEP = 'left out: nested too deeply';

/** What a source gave, as JSON that can be stored; a note in its place where it is too much. */
export function keptPayload(raw: unknown): unknown {
  const kept = copied(raw, DEEPEST);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  return bytes <= MOST_BYTES ? kept : { note: `left out: ${bytes} bytes, at most ${MOST_BYTES} are kept` };
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value === null || typeof value !== 'object') return null;
  if (depth === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((inner) => copied(inner, depth - 1));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), copied(inner, depth - 1)]));
}
