import { fromHtml } from 'hast-util-from-html';

export type Root = ReturnType<typeof fromHtml>;
export type Content = Root['children'][number];
export type Element = Extract<Content, { type: 'element' }>;

/** A page that is nested too deeply for the parser is parsed only up to its body. */
export function parseHtml(html: string): Root {
  try {
    return fromHtml(html);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const body = html.search(/<body[\s>]/i);
    return body === -1 ? { type: 'root', children: [] } : parseHtml(html.slice(0, body));
  }
}

/** Graphics have titles and links of their own, which say nothing about the page. */
const PICTURES = new Set(['svg', 'math']);

/** Yields elements in document order. It does not recurse, because pages may be nested to any depth. */
export function* elementsOf(root: Root): Generator<Element> {
  const open: (Root | Content)[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') {
      if (PICTURES.has(node.tagName)) continue;
      yield node;
    }
    if ('children' in node) pushChildren(node, open);
  }
}

/** Pushes the children in reverse order, so that the first child is popped next. */
export function pushChildren({ children }: Root | Element, open: unknown[]): void {
  for (let at = children.length - 1; at >= 0; at--) open.push(children[at]);
}

export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name];
  if (value === undefined || value === null || value === false) return undefined;
  if (value === true) return '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

export function innerText({ children }: Element): string {
  return children.map((child) => (child.type === 'text' ? child.value : '')).join('');
}
