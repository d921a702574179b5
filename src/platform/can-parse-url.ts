/** `URL.canParse` of Node.js 20, once optimised, rejects addresses with umlauts. */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
