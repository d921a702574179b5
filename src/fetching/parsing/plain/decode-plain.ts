import { decodeHTML } from 'entities';

/** Most references are one of these. */
const COMMON = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['#34', '"'],
  ['#38', '&'],
  ['#39', "'"],
  ['#60', '<'],
  ['#62', '>'],
]);

const MAX_LENGTH = 4;

/** Decodes references as the feed parser does. */
export function decodePlain(text: string): string {
  let amp = text.indexOf('&');
  if (amp < 0) return text;
  let decoded = '';
  let done = 0;
  for (; amp >= 0; amp = text.indexOf('&', done)) {
    const end = text.indexOf(';', amp);
    // The feed parser decodes nothing where no reference has an end.
    if (end < 0 && done === 0) return text;
    const character = end < 0 || end - amp > MAX_LENGTH + 1 ? undefined : COMMON.get(text.slice(amp + 1, end));
    if (character === undefined) return decodeHTML(text);
    decoded += text.slice(done, amp) + character;
    done = end + 1;
  }
  return decoded + text.slice(done);
}
