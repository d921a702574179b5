/**
 * Characters with a meaning in LinkedIn's "little" text format. An unescaped one cuts the text off without an error.
 */
const HASHTAG_OR_RESERVED = /((?<=^|\s)#(?=\p{N}*\p{L}))|[\\|{}@[\]()<>#*_~]/gmu;

/** Escapes a text so that it is shown unchanged. Only hashtags keep their meaning. */
export function toLittleText(text: string): string {
  return text.replace(HASHTAG_OR_RESERVED, (reserved, hashtag?: string) => hashtag ?? `\\${reserved}`);
}

const TEMPLATE = /\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\])*)\}/u;
const MENTION = /@\[((?:\\.|[^\]\\])*)\]\(urn:[^)]*\)/u;
const ELEMENT = new RegExp(`${TEMPLATE.source}|${MENTION.source}|\\\\(.)`, 'gsu');

/** Returns the text that readers see. LinkedIn returns hashtags as templates. */
export function fromLittleText(commentary: string): string {
  return commentary.replace(ELEMENT, (_, hashtag?: string, name?: string, escaped?: string) => {
    if (hashtag !== undefined) return `#${unescaped(hashtag)}`;
    return name === undefined ? (escaped ?? '') : unescaped(name);
  });
}

const unescaped = (text: string) => text.replace(/\\(.)/gsu, '$1');
