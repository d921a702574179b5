import { hostOf } from '../../platform/hosts/host-of.js';
import { typedAddresses } from '../crawler/sites.js';
import { foldText } from './fold-text.js';
import type { Lead } from './lead.js';

/** Scripts without spaces, or with suffixes attached to words. In these, a keyword may begin or end anywhere. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]\\p{M}*$`, 'u');
const SEAM = new RegExp(`(?<=[${UNSPACED}])(?=[^${UNSPACED}\\p{M}])|(?<=[^${UNSPACED}\\p{M}])(?=[${UNSPACED}])`, 'gu');

/** A keyword matches as whole words or as an address of the site. Without keywords every lead matches. */
export function matchesKeywords(lead: Lead, keywords: string[]): boolean {
  if (keywords.length === 0) return true;
  const { name, domain, emails, address, description, rawPayload } = lead;
  const texts = [name, domain, ...emails, address, description, ...textsIn(rawPayload)];
  const text = texts.map((part) => ` ${words(part ?? '')} `).join('\n');
  return keywords.some((keyword) => occurs(words(keyword), text) || isAddressOf(lead, keyword));
}

/** Only hosts are compared, because the site may redirect within itself. */
function isAddressOf({ url }: Lead, keyword: string): boolean {
  const [address] = typedAddresses(keyword);
  return !!address && !!url && hostOf(address) === hostOf(new URL(url));
}

function occurs(phrase: string, text: string): boolean {
  if (!phrase) return false;
  const before = BEGINS_UNSPACED.test(phrase) ? '' : ' ';
  const after = ENDS_UNSPACED.test(phrase) ? '' : ' ';
  return text.includes(`${before}${phrase}${after}`);
}

/** Returns the words of a text, folded and separated by single spaces. `C++` and `C#` are words. */
function words(text: string): string {
  return foldText(text)
    .replace(/(?<![\p{L}\p{N}+#])[+#]+|[+#]+(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/[^\p{L}\p{N}\p{M}\p{So}+#]+/gu, ' ')
    .replace(SEAM, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}
