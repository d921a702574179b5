import { canParseUrl } from '../../platform/can-parse-url.js';
/** Absolute http(s) address of what may be relative to `base`, or is absolute itself where there is none; else nothing. */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !canParseUrl(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** The base that holds inside of an element, whose own `xml:base` may be relative or nonsense. */
export function innerBase(base: string, own: string | undefined): string {
  return webAddress(own, base) ?? base;
}
