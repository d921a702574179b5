import { localName } from './names.js';
import { OpenElements } from './open-elements.js';
import { piecesOf } from './pieces.js';

/** Older names of what became `content:encoded`: the XHTML body of an item, and Radio's full item. */
const BODIES = new Set(['body', 'fullitem']);
const MAY_HAVE_BODIES = /<(?:[\w.-]+:)?(?:body|fullitem)[\s>]/i;

/** Gives an item's body the name that the feed parser knows. */
export function renameItemBodies(text: string): string {
  if (!MAY_HAVE_BODIES.test(text)) return text;
  const renamed: string[] = [];
  const open = new OpenElements<{ isBody: boolean }>();
  for (const { kind, name, start, end } of piecesOf(text)) {
    const local = localName(name);
    const raw = text.slice(start, end);
    if (kind === 'open') {
      const isBody = BODIES.has(local) && open.innermost?.name === 'item';
      open.open(local, { isBody });
      renamed.push(isBody ? '<content:encoded>' : raw);
    } else if (kind === 'close') {
      const closed = open.close(local).at(-1);
      renamed.push(closed?.value.isBody ? '</content:encoded>' : raw);
    } else renamed.push(raw);
  }
  return renamed.join('');
}
