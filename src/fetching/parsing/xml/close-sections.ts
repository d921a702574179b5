const ITEM_EDGE = /<\/(?:[\w.-]{1,99}:)?(?:item|entry)\s*>\s*(?:<(?:[\w.-]{1,99}:)?(?:item|entry)[\s>]|<\/|$)/gi;
const CDATA = '<![CDATA[';
const SECTION = /<!\[CDATA\[|<!--|<[?!]/g;
/** Maximum length of an instruction in characters. A longer one is damaged. */
const MAX_INSTRUCTION = 10_000;
const TAG_BEFORE = /<([\w:.-]{1,99})(?:\s[^<>]*)?>\s*$/;

/** A section without an end is closed at the end of its element or item. */
export function closeSections(text: string): string {
  const edges = new NextMatch(text, ITEM_EDGE);
  const openings = new NextMatch(text, /<!\[CDATA\[/g);
  const closings = new NextMatch(text, /\]\]>/g);
  const comments = { opens: new NextMatch(text, /<!--/g), closes: new NextMatch(text, /-->/g) };
  const kept: string[] = [];
  let done = 0;
  SECTION.lastIndex = 0;
  for (let found = SECTION.exec(text); found; found = SECTION.exec(text)) {
    const start = found.index;
    kept.push(text.slice(done, start));
    if (found[0] === CDATA) {
      const inside = start + CDATA.length;
      const close = closings.from(inside);
      const isSound = close < openings.from(inside);
      const contentEnd = isSound ? close : damagedEnd(text, start, Math.min(edges.from(inside), openings.from(inside)));
      kept.push(CDATA, text.slice(inside, contentEnd), ']]>');
      done = isSound ? close + 3 : contentEnd;
    } else if (found[0] === '<!--') {
      const close = comments.closes.from(start + 4);
      done = close < comments.opens.from(start + 4) ? close + 3 : start + 4;
    } else done = otherEnd(text, start + found[0].length);
    SECTION.lastIndex = done;
  }
  return kept.join('') + text.slice(done);
}

/** Positions must not decrease, so that the text is searched only once. */
class NextMatch {
  private at = -1;

  constructor(
    private readonly text: string,
    private readonly what: RegExp,
  ) {}

  from(place: number): number {
    if (this.at < place) {
      this.what.lastIndex = place;
      this.at = this.what.exec(this.text)?.index ?? this.text.length;
    }
    return this.at;
  }
}

function damagedEnd(text: string, start: number, limit: number): number {
  const [, name] = TAG_BEFORE.exec(text.slice(Math.max(0, start - 300), start)) ?? [];
  const endTag = name ? text.slice(start, limit).indexOf(`</${name}`) : -1;
  return endTag < 0 ? limit : start + endTag;
}

function otherEnd(text: string, inside: number): number {
  const [edge] = /[<>]/.exec(text.slice(inside, inside + MAX_INSTRUCTION)) ?? [];
  return edge === '>' ? text.indexOf('>', inside) + 1 : inside;
}
