import { controlsAsWindows1252 } from '../../../platform/http/decode-charset.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g;

/** Character references to forbidden characters, which a decoder would turn back into them. */
const FORBIDDEN_REFERENCE =
  /&#(?:0*(?:[0-8]|1[1-2]|1[4-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[0-9a-f])|0*5(?:5[3-9]\d{2}|6\d{3}|7[0-2]\d{2}|73[0-3]\d|734[0-3])|x0*d[89a-f][0-9a-f]{2});/gi;

/** Any character that has to be removed or replaced. Most texts have none, and one search is enough to know it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNCLEAN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;

/** Neither XML nor PostgreSQL can store NUL, control characters and unpaired surrogates. */
export function cleanText(text: string): string {
  const clean = UNCLEAN.test(text) ? controlsAsWindows1252(text).replace(FORBIDDEN, '') : text;
  return (clean.includes('&#') ? clean.replace(FORBIDDEN_REFERENCE, '') : clean).toWellFormed();
}
