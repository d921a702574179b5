const ITEM_END = '</(?:[\\w.-]{1,99}:)?(?:item|entry)\\s*>';
const SHORTEST_ITEM = '<item></item>'.length;
/** What may follow the last item. */
const LONGEST_TAIL = 10_000;

/** A document with its first items only, so that one with a hundred thousand costs no more than it brings. */
export function firstItems(text: string, most: number): string {
  if (text.length < most * SHORTEST_ITEM) return text;
  const itemEnd = new RegExp(ITEM_END, 'gi');
  for (let items = 0; items < most; items++) if (!itemEnd.test(text)) return text;
  const end = itemEnd.lastIndex;
  const tail = text.slice(Math.max(end, text.length - LONGEST_TAIL));
  const last = [...tail.matchAll(new RegExp(ITEM_END, 'gi'))].at(-1);
  return text.slice(0, end) + tail.slice(last ? last.index + last[0].length : 0);
}
