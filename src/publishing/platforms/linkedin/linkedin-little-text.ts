/** What LinkedIn's "little" format of a commentary gives a meaning to. Unescaped, the text ends at it without an error. */
const HASHTAG_OR_RESERVED = /((?<=^|\s)#(?=\p{N}*\p{L}))|[\\|{}@[\]()<>#*_~]/gmu;

/** A text as a commentary that shows it as it is. Only hashtags keep their meaning. */
export function toLittleText(text: string): string {
  return text.replace(HASHTAG_OR_RESERVED, (reserved, hashtag?: string) => hashtag ?? `\\${reserved}`);
}

const TEMPLATE = /\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\])*)\}/u;
const MENTION = /@\[((?:\\.|[^\]\\])*)\]\(urn:[^)]*\)/u;
const ELEMENT = new RegExp(`${TEMPLATE.source}|${MENTION.source}|\\\\(.)`, 'gsu');

/** What readers see of a commentary. LinkedIn gives hashtags back as templates. */
export function fromLittleText(commentary: string): string {
  return commentary.replace(ELEMENT, (_, hashtag?: string, name?: string, escaped?: string) => {
    if (hashtag !== undefined) return `#${unescaped(hashtag)}`;
    return name === undefined ? (escaped ?? '') : unescaped(name);
  });
}

const unescaped = (text: string) => text.replace(/\\(.)/gsu, '$1');
