/** PostgreSQL refuses NUL characters and lone surrogates, and BullMQ would leave such a job hanging until it stalls. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

export function storable<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), clean(inner)]));
}

/** Deeper than any real message, and shallow enough for recursive code. */
const MAX_DEPTH = 100;

/** Returns whether PostgreSQL returns a JSON value exactly as it was stored. */
export function isStorable(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value === 'string') return storableText(value) === value;
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, inner]) => storableText(key) === key && isStorable(inner, depth - 1));
}
