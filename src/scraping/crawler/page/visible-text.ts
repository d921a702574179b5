import { attribute, type Content, type Element, pushChildren, type Root } from './html-tree.js';

const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const UNSEEN = new Set('head script style template svg math select textarea iframe canvas noembed noframes'.split(' '));
const NOT_DISPLAYED = /(^|[;\s])(display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Zero-width characters, which some sites put into addresses. */
const WITHOUT_WIDTH = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const BREAK = { type: 'break' } as const;

/** Returns the text that a reader sees: one line for each block, with white space collapsed. */
export function visibleText(root: Root | Element, most: number): string {
  const pieces: string[] = [];
  const open: (Root | Content | typeof BREAK)[] = [root];
  let length = 0;
  for (let node = open.pop(); node && length < most; node = open.pop()) {
    if (node.type === 'break') pieces.push('\n');
    if (node.type === 'text') {
      const text = node.value.slice(0, most - length);
      pieces.push(text.replace(/\s+/g, ' '));
      length += text.length;
    }
    if (!('children' in node) || (node.type === 'element' && isUnseen(node))) continue;
    const isBlock = node.type === 'element' && !INLINE.has(node.tagName);
    if (isBlock) {
      pieces.push('\n');
      open.push(BREAK);
    }
    pushChildren(node, open);
  }
  return tidied(pieces.join(''));
}

function isUnseen(element: Element): boolean {
  const { tagName, properties } = element;
  if (UNSEEN.has(tagName) || (properties.hidden ?? false) !== false) return true;
  return NOT_DISPLAYED.test((attribute(element, 'style') ?? '').slice(0, 500));
}

function tidied(text: string): string {
  return text
    .replace(WITHOUT_WIDTH, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n');
}
