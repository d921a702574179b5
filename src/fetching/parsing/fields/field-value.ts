import { cleanText } from '../text/clean-text.js';
import { plainText } from '../text/plain-text.js';

const MOST_VALUES = 50;
const LONGEST_VALUE = 2_000;

/** Each text once, as one line; one alone is no list. */
export function fieldValue(texts: string[]): string | string[] | undefined {
  const values = new Set<string>();
  for (const text of texts) {
    if (values.size >= MOST_VALUES) break;
    const line = oneValue(text);
    if (line) values.add(line);
  }
  const [first] = values;
  return values.size > 1 ? [...values] : first;
}

function oneValue(html: string): string {
  const line = plainText(html).slice(0, LONGEST_VALUE);
  // References may be written twice over, and the cut may go through a pair of surrogates.
  return cleanText(line.replace(/[\ud800-\udbff]$/, '')).trim();
}
