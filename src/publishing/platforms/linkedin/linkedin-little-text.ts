/** LinkedIn's "little" text format cuts the text off without an error at an unescaped one of these. */
const HASHTAG_OR_RESERVED = /((?<=^|\s)#(?=\p{N}*\p{L}))|[\\|{}@[\]()<>#*_~]/gmu;

/** Hashtags keep their meaning. */
export function toLittleText(text: string): string {
  return text.replace(HASHTAG_OR_RESERVED, (reserved, hashtag?: string) => hashtag ?? `\\${reserved}`);
}

const TEMPLATE = /\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\])*)\}/u;
const MENTION = /@\[((?:\\.|[^\]\\])*)\]\(urn:[^)]*\)/u;
const ELEMENT = new RegExp(`${TEMPLATE.source}|${MENTION.source}|\\\\(.)`, 'gsu');

/** LinkedIn returns hashtags as templates. */
export function fromLittleText(commentary: string): string {
  return commentary.replace(ELEMENT, (_, hashtag?: string, name?: string, escaped?: string) => {
    if (hashtag !== undefined) return `#${unescaped(hashtag)}`;
    return name === undefined ? (escaped ?? '') : unescaped(name);
  });
}

const unescaped = (text: string) => text.replace(/\\(.)/gsu, '$1');
