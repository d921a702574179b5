import type { fromHtml } from 'hast-util-from-html';

export type Root = ReturnType<typeof fromHtml>;
type Content = Root['children'][number];
export type Element = Extract<Content, { type: 'element' }>;

/** Maximum total length of URLs. Many short relative URLs with a long base would make a small text huge. */
const MAX_ADDRESSES = 4_000_000;
const MAX_BASE_LENGTH = 4_000;

const WEB = ['http:', 'https:'];
const PLAYER =
  /(?<![a-z])(?:(?:embed|video)[a-z]*|play|players?|playlists?|watch|listen|episodes?|podcasts?|tracks?)(?![a-z])/i;
const SHAPES = new Set(['g', 'path', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'rect']);
const LINKS = [...WEB, 'mailto:', 'tel:'];

/** Does not decide which elements are allowed. */
export function tidy(tree: Root, base: string | undefined): void {
  const addresses = new Addresses(base);
  tidyChildren(tree, addresses);
}

function tidyChildren(parent: Root | Element, addresses: Addresses): void {
  const children: Content[] = [];
  for (const child of parent.children) {
    if (child.type !== 'element') children.push(child);
    else if (child.tagName === 'noscript') children.push(...unwrapped(child, children, addresses));
    else children.push(...tidied(child, addresses));
  }
  parent.children = children as typeof parent.children;
}

function tidied(element: Element, addresses: Addresses): Content[] {
  tidyChildren(element, addresses);
  return tidyElement(element, addresses);
}

/** Returns what replaces an element whose children are tidy. */
export function tidyElement(element: Element, addresses: Addresses): Content[] {
  switch (element.tagName) {
    case 'a':
      addresses.resolve(element, 'href', LINKS);
      if (element.properties.href) element.properties.rel = ['noopener', 'noreferrer', 'nofollow'];
      return [element];
    case 'img':
      return image(element, addresses);
    case 'iframe':
      return player(element, addresses);
    case 'math':
      return [
        { type: 'text', value: String(element.properties.altText ?? element.properties.alttext ?? wordsIn(element)) },
      ];
    case 'svg':
      return [drawing(element)];
    case 'audio':
    case 'video':
      for (const name of ['src', 'poster']) addresses.resolve(element, name, WEB);
      Object.assign(element.properties, { controls: true, preload: 'none' });
      return [element];
    case 'source':
      addresses.resolve(element, 'src', WEB);
      return element.properties.src ? [element] : [];
    default:
      addresses.resolve(element, 'cite', WEB);
      return [element];
  }
}

/** The fallback image for readers without scripts is left out if the image that it replaces is present. */
function unwrapped(noscript: Element, before: Content[], addresses: Addresses): Content[] {
  tidyChildren(noscript, addresses);
  const previous = before.findLast(({ type }) => type === 'element');
  const doubled = previous?.type === 'element' && ['img', 'picture'].includes(previous.tagName);
  return doubled ? [] : (noscript.children as Content[]);
}

function image(element: Element, addresses: Addresses): Content[] {
  const { properties } = element;
  if (isInvisible(properties)) return [];
  const given = [properties.src, properties.dataSrc, properties.dataLazySrc, properties.dataOriginal];
  const address = given.map((value) => addresses.absolute(value, WEB)).find(Boolean);
  if (address) Object.assign(properties, { src: address, loading: 'lazy' });
  else delete properties.src;
  // An image that cannot be shown is kept for its alternative text.
  return address || String(properties.alt ?? '').trim() ? [element] : [];
}

function isInvisible({ width, height, style }: Element['properties']): boolean {
  const tiny = (size: unknown) =>
    size !== undefined && size !== null && size !== '' && Number.parseFloat(String(size)) <= 1;
  if (tiny(width) || tiny(height)) return true;
  const hidden = /(^|[;\s])(display\s*:\s*none|visibility\s*:\s*hidden|(width|height)\s*:\s*[01](px)?\s*(;|!|$))/i;
  return hidden.test(String(style ?? '').slice(0, 2_000));
}

/** Embedded pages other than players are removed, because most are advertisements and forms. */
function player({ properties }: Element, addresses: Addresses): Content[] {
  const href = addresses.absolute(properties.src, WEB) ?? addresses.absolute(properties.dataSrc, WEB);
  const title = String(properties.title ?? '').trim();
  if (!href || !(title || plays(href))) return [];
  const text = title || href;
  const link = { href, rel: ['noopener', 'noreferrer', 'nofollow'] };
  return [{ type: 'element', tagName: 'a', properties: link, children: [{ type: 'text', value: text }] }];
}

function plays(href: string): boolean {
  const { hostname, pathname } = new URL(href);
  return PLAYER.test(hostname + pathname);
}

function wordsIn(parent: Root | Element): string {
  return parent.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? wordsIn(child) : ''))
    .join('');
}

/** Shapes are rebuilt, so that no active SVG content is kept. */
function drawing(element: Element): Content {
  const words = drawingInWords(element);
  const { width, height, viewBox } = element.properties;
  if (words || !width || !height) return { type: 'text', value: words };
  return { type: 'element', tagName: 'svg', properties: { width, height, viewBox }, children: shapesIn(element) };
}

function shapesIn({ children }: Element): Element[] {
  return children.flatMap((child) => {
    if (child.type !== 'element') return [];
    const inner = shapesIn(child);
    if (!SHAPES.has(child.tagName)) return inner;
    return [{ type: 'element', tagName: child.tagName, properties: child.properties, children: inner }];
  });
}

function drawingInWords({ children }: Element): string {
  const own = children.filter((child) => child.type === 'element' && ['title', 'desc'].includes(child.tagName));
  return own.map((child) => wordsIn(child as Element).trim()).join(' ');
}

/** An address that the URL parser leaves as it is, whatever the base. */
const NORMAL_ADDRESS =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?:\/(?!\.)[a-zA-Z0-9_~=.+,-]*)+(?:\?[a-zA-Z0-9_~=.+,&-]*)?$/;

export class Addresses {
  /** True once an address could not be parsed, which takes far longer than others. */
  hasInvalid = false;
  private base: string | undefined;
  private written = 0;

  constructor(private readonly givenBase: string | undefined) {}

  resolve(element: Element, name: string, protocols: string[]): void {
    if (!(name in element.properties)) return;
    const address = this.absolute(element.properties[name], protocols);
    if (address) element.properties[name] = address;
    else delete element.properties[name];
  }

  absolute(value: unknown, protocols: string[]): string | undefined {
    if (typeof value !== 'string' || value === '') return undefined;
    const href = NORMAL_ADDRESS.test(value) ? value : this.normalised(value, protocols);
    this.written += href?.length ?? 0;
    if (this.written > MAX_ADDRESSES) throw new RangeError('too many addresses');
    return href;
  }

  private normalised(value: string, protocols: string[]): string | undefined {
    this.base ??= usableBase(this.givenBase);
    const base = this.base || (value.trimStart().startsWith('//') ? 'https://localhost' : undefined);
    const url = parsedUrl(value, base);
    if (!url) this.hasInvalid = true;
    return url && protocols.includes(url.protocol) ? url.href : undefined;
  }
}

function usableBase(base: string | undefined): string {
  if (!base || base.length > MAX_BASE_LENGTH) return '';
  return WEB.includes(parsedUrl(base)?.protocol ?? '') ? base : '';
}

function parsedUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
