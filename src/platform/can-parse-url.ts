/**
 * Like `URL.canParse`, which in Node.js 20 rejects addresses with umlauts once it has been called often enough to be
 * optimised: the fast path reads Latin-1 as UTF-8.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
