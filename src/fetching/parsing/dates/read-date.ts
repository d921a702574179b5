import { readIsoDate } from './iso-date.js';
import { readWordedDate } from './worded-date.js';

/** No date that a feed means is longer. */
const LONGEST = 100;

/** A date as feeds write it, whatever the standard says; undefined if it cannot be read. A missing zone means UTC. */
export function readDate(text: string | undefined): Date | undefined {
  const trimmed = text?.replace(/\\n|\s+/g, ' ').trim();
  if (!trimmed || trimmed.length > LONGEST) return undefined;
  return readCount(trimmed) ?? readIsoDate(trimmed) ?? readWordedDate(asianWords(trimmed));
}

/** Seconds or milliseconds since 1970. */
function readCount(text: string): Date | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined;
  return new Date(text.length === 10 ? Number(text) * 1_000 : Number(text));
}

/** `2004년 05월 28일 오후 01:31`, `2004年5月28日` with signs that all read. Korean feeds that give no zone mean their own. */
function asianWords(text: string): string {
  if (!/[년年오]/.test(text)) return text;
  const [, half] = /오(전|후)/.exec(text) ?? [];
  const plain = text
    .replace(/오[전후]\s*(\d{1,2}(?::\d{1,2}){1,2})/, (_, time: string) => `${time} ${half === '후' ? 'pm' : 'am'}`)
    .replace(/(\d{1,2})\s*[일日]/, '$1 ')
    .replace(/(\d)\s*[년年월月]\s*/g, '$1-');
  return /[가-힣]/.test(text) && !/[+-]\d{2}:?\d{2}$|[A-Z]{3}$/.test(plain) ? `${plain} +0900` : plain;
}
