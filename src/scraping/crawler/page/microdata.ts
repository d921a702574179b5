import type { Described } from './described.js';
import { attribute, type Content, type Element, pushChildren, type Root } from './html-tree.js';
import { isOrganisation } from './organisation-types.js';
import { visibleText } from './visible-text.js';

const MAX_VALUE_LENGTH = 2_000;
const MAX_VALUES = 50;
const VALUES: Record<string, string> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  meta: 'content',
  data: 'value',
  time: 'dateTime',
};

interface Open {
  node: Root | Content;
  of: Described | undefined;
}

export function organisationsInMicrodata(root: Root): Described[] {
  const found: Described[] = [];
  const open: Open[] = [{ node: root, of: undefined }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    if (!('children' in node)) continue;
    const of = node.type === 'element' ? enter(node, next.of) : next.of;
    if (of && of !== next.of && isOrganisation(of['@type'])) found.push(of);
    const children: Content[] = [];
    pushChildren(node, children);
    for (const child of children) open.push({ node: child, of });
  }
  return found;
}

function enter(element: Element, of: Described | undefined): Described | undefined {
  const names = attribute(element, 'itemProp')?.split(/\s+/).filter(isPropertyName) ?? [];
  const isThing = attribute(element, 'itemScope') !== undefined;
  const thing: Described | undefined = isThing ? { '@type': attribute(element, 'itemType')?.split(/\s+/) } : undefined;
  if (of) for (const name of names) note(of, name, thing ?? propertyOf(element, name));
  return thing ?? of;
}

const isPropertyName = (name: string) => /^[a-z][a-z0-9]{0,60}$/i.test(name);

function note(thing: Described, name: string, value: unknown): void {
  const known = Object.hasOwn(thing, name) ? (thing[name] as unknown[]) : [];
  if (known.length < MAX_VALUES) known.push(value);
  thing[name] = known;
}

/** A name inside a link means its text, not its address. */
function propertyOf(element: Element, name: string): string {
  const place = name === 'name' ? 'content' : (VALUES[element.tagName] ?? 'content');
  const content = attribute(element, 'content') ?? attribute(element, place);
  return (content ?? visibleText(element, MAX_VALUE_LENGTH)).slice(0, MAX_VALUE_LENGTH);
}
