/**
 * As `URL.canParse`, which in Node.js 20 takes addresses with umlauts for none once it was called so often that it is
 * compiled: the fast way reads Latin-1 as UTF-8.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
