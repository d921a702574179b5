import { cleanText } from '../text/clean-text.js';

/** Atom 0.3 allowed any text to be sent as base64, with no other sign of it than `mode`. */
const BASE64_TEXT =
  /(<[\w:.-]+\s[^<>]{0,500}?\bmode\s{0,9}=\s{0,9}["']base64["'][^<>]{0,500}>)(?:\s*<!\[CDATA\[)?([A-Za-z0-9+/=\s]+)(?:\]\]>\s*)?(<\/)/gi;

export function decodeBase64Texts(text: string): string {
  if (!text.includes('base64')) return text;
  return text.replace(BASE64_TEXT, (_, open: string, encoded: string, close: string) => {
    const decoded = cleanText(Buffer.from(encoded, 'base64').toString());
    return `${open}${decoded.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}${close}`;
  });
}
