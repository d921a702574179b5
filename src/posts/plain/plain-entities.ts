/** The characters from U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const PUNCTUATION =
  'amp & lt < gt > quot " apos \' trade ™ hellip … ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › bull • euro € larr ← rarr →';

/** Character references that feeds use, by name. The others are left to the HTML parser. */
export const NAMED = new Map([
  ...LATIN_1.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ...[...PUNCTUATION.matchAll(/(\w+) (\S)/g)].map(([, name = '', character = '']): [string, string] => [
    name,
    character,
  ]),
]);

const REFERENCE = /&(#?[a-zA-Z0-9]*)(;?)/g;
const NUMBER = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i;

/** Returns undefined if a reference is unusual, such as one without its semicolon. */
export function decoded(written: string, { inAttribute }: { inAttribute: boolean }): string | undefined {
  if (!written.includes('&')) return written;
  let isUnusual = false;
  const text = written.replace(REFERENCE, (whole: string, name: string, semicolon: string, at: number) => {
    if (!name) return whole;
    // In an attribute such as `?a=1&copy=2`, a name before an equals sign is not a reference.
    if (inAttribute && !semicolon && !name.startsWith('#') && written[at + whole.length] === '=') return whole;
    const character = semicolon && (name.startsWith('#') ? numbered(name) : NAMED.get(name));
    if (!character) isUnusual = true;
    return character || '';
  });
  return isUnusual ? undefined : text;
}

/** The HTML parser replaces control characters, surrogates and numbers that are too large. */
function numbered(name: string): string | undefined {
  const [, hexadecimal, decimal] = NUMBER.exec(name) ?? [];
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const isText = code === 0x0a || (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800);
  return isText || (code >= 0xe000 && code <= 0x10ffff) ? String.fromCodePoint(code) : undefined;
}
