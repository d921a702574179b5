import { parseHtml } from './html-tree.js';
import { visibleText } from './visible-text.js';

export type Described = Record<string, unknown>;

export const isDescribed = (value: unknown): value is Described =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const MAX_TEXT_LENGTH = 5_000;

/** Returns one line of text. Many sites write HTML where text belongs. */
export function textOf(value: unknown): string | undefined {
  for (const one of listOf(value)) {
    const text = isDescribed(one) ? (one['@value'] ?? one.name ?? one['@id']) : one;
    if (typeof text !== 'string' && typeof text !== 'number') continue;
    const line = plain(String(text).slice(0, MAX_TEXT_LENGTH));
    if (line) return line;
  }
  return undefined;
}

export function textsOf(value: unknown): string[] {
  return listOf(value)
    .slice(0, 20)
    .flatMap((one) => textOf(one) ?? []);
}

function plain(text: string): string {
  const shown = /[<&]/.test(text) ? visibleText(parseHtml(text), MAX_TEXT_LENGTH) : text;
  return shown.replace(/\s+/g, ' ').trim();
}

const MAX_DEPTH = 6;
const MAX_VALUES = 50;
const MAX_KEPT_LENGTH = 2_000;
const MAX_KEPT = 20_000;

export function bounded(described: Described): unknown {
  let left = MAX_KEPT;
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const kept = value.slice(0, Math.min(MAX_KEPT_LENGTH, left));
      left -= kept.length;
      return kept;
    }
    if (value === null || typeof value !== 'object') return value;
    if (depth === 0 || left <= 0) return undefined;
    if (Array.isArray(value)) return value.slice(0, MAX_VALUES).map((one) => copy(one, depth - 1));
    const entries = Object.entries(value).slice(0, MAX_VALUES);
    left -= entries.reduce((sum, [key]) => sum + key.length, 0);
    return Object.fromEntries(entries.map(([key, one]) => [key.slice(0, 100), copy(one, depth - 1)]));
  };
  return copy(described, MAX_DEPTH);
}
