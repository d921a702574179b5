/** What runs, loads or embeds something, in a text without repeated spaces. References within a drawing begin with `#`. */
const REFUSED = [
  /<!ENTITY/i,
  /< ?(?:[\w.-]{1,50}:)?(?:script|handler|listener|foreignObject|iframe|embed|object|image|feImage|audio|video|set|animate\w*|a)[ />]/i,
  /[ "'/]on[a-z]{1,50} ?=/i,
  /(?:href|src) ?=(?! ?["']? ?#)/i,
  /@import/i,
  /url\((?! ?["']? ?#)/i,
  /<\?xml-stylesheet/i,
];

/** Whether the bytes are a drawing without scripts, animation and references to other documents. */
export function isPlainSvg(bytes: Uint8Array): boolean {
  const text = utf8(bytes)?.replace(/\s+/g, ' ');
  return text !== undefined && beginsWithSvg(text) && !REFUSED.some((pattern) => pattern.test(text));
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Another encoding, named in the XML declaration, could hide what the patterns look for.
    return /^\s*<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8)/i.test(text.slice(0, 200)) ? undefined : text;
  } catch {
    return undefined;
  }
}

const BEFORE_ROOT = [
  ['<?xml', '?>'],
  ['<!--', '-->'],
  ['<!doctype svg', '>'],
] as const;

function beginsWithSvg(text: string): boolean {
  let at = 0;
  for (;;) {
    if (text[at] === ' ') at++;
    const start = text.slice(at, at + 20).toLowerCase();
    const [, end] = BEFORE_ROOT.find(([begin]) => start.startsWith(begin)) ?? [];
    if (end === undefined) return /^<svg[ >]/.test(start);
    const found = text.indexOf(end, at);
    if (found === -1) return false;
    at = found + end.length;
  }
}
