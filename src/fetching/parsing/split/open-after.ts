/** A document that goes deeper has something to hide. */
const DEEPEST = 60;
const NAME = '[A-Za-z_\\x80-\\xff][\\w:.\\x80-\\xff-]*';
const SPACE = '[ \\t\\r\\n]';
const ATTRIBUTE = `${SPACE}+${NAME}${SPACE}*=${SPACE}*(?:"[^"<]*"|'[^'<]*')`;

/** All that may stand between texts. */
const MARKUP = new RegExp(
  `<(?:(${NAME})(?:${ATTRIBUTE})*${SPACE}*(/?)>|/(${NAME})${SPACE}*>|!\\[CDATA\\[[^]*?\\]\\]>|!--[^]*?-->|\\?[^<>]*\\?>)`,
  'y',
);

/**
 * The elements that are open where a part of a document ends, given those that are where it begins. Undefined where
 * anything in it is not as XML wants it, or is seldom enough not to be thought about.
 */
export function openAfter(part: string, openBefore: readonly string[] = []): string[] | undefined {
  const open = [...openBefore];
  for (let at = 0; ; ) {
    const next = part.indexOf('<', at);
    if (!open.length && !isBlank(part.slice(at, next < 0 ? undefined : next), at)) return undefined;
    if (next < 0) return open;
    MARKUP.lastIndex = next;
    const [found, opens, empty, closes] = MARKUP.exec(part) ?? [];
    if (!found || (!open.length && found.startsWith('<!['))) return undefined;
    if (opens && !empty) open.push(opens);
    if (open.length > DEEPEST || (closes && open.pop() !== closes)) return undefined;
    at = MARKUP.lastIndex;
  }
}

/** The first characters may be a byte order mark. */
function isBlank(text: string, at: number): boolean {
  return /^[ \t\r\n]*$/.test(at === 0 ? text.replace(/^\xef\xbb\xbf/, '') : text);
}
