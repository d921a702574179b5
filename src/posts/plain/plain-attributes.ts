import { SAFE_HTML } from '../safe-html-schema.js';
import { type Addresses, type Element, tidyElement } from '../tidy-html.js';
import { decoded } from './plain-entities.js';

type Properties = Element['properties'];

export interface AttributeRule {
  property: string;
  kind: 'text' | 'number' | 'list' | 'unclear';
  /** Values that are kept; every value if there are none. */
  allowed: unknown[];
  /** False for attributes that only `tidyElement` reads. */
  isKept: boolean;
}

interface WrittenAttributes {
  /** Each name is followed by its value, which is empty if it has none. */
  pairs: string[];
  isSelfClosing: boolean;
  /** Position after the tag. */
  end: number;
}

const ATTRIBUTE = /[ \t\n\f]+([a-zA-Z][\w:.-]*)(?:[ \t\n\f]*=[ \t\n\f]*(?:"([^"<]*)"|'([^'<]*)'|([^\s"'<>=`]+)))?/y;
const TAG_END = /[ \t\n\f]*(\/?)>/y;

const NUMBERS = ['width', 'height', 'start'];
const LISTS = ['className', 'rel'];
const ATTRIBUTE_OF: Record<string, string> = { className: 'class', dateTime: 'datetime' };
const READ_ONLY: Record<string, Record<string, string>> = {
  iframe: { src: 'src', 'data-src': 'dataSrc', title: 'title' },
  img: { style: 'style', 'data-src': 'dataSrc', 'data-lazy-src': 'dataLazySrc', 'data-original': 'dataOriginal' },
};
/** The first may have no value, and a source with an address depends on the elements around it. */
const UNCLEAR: Record<string, string> = { ol: 'reversed', source: 'src' };

export function rulesOf(name: string): Map<string, AttributeRule> {
  const rules = new Map<string, AttributeRule>();
  // A link replaces an iframe.
  const own = SAFE_HTML.attributes?.[name === 'iframe' ? 'a' : name] ?? [];
  for (const definition of own.concat(SAFE_HTML.attributes?.['*'] ?? [])) {
    const [property, ...allowed] = typeof definition === 'string' ? [definition] : definition;
    const kind = UNCLEAR[name] === property ? 'unclear' : kindOf(property);
    rules.set(attributeOf(property), { property, kind, allowed, isKept: true });
  }
  for (const [attribute, property] of Object.entries(READ_ONLY[name] ?? {}))
    rules.set(attribute, { property, kind: 'text', allowed: [], isKept: false });
  return rules;
}

function kindOf(property: string): AttributeRule['kind'] {
  if (NUMBERS.includes(property)) return 'number';
  return LISTS.includes(property) ? 'list' : 'text';
}

function attributeOf(property: string): string {
  return ATTRIBUTE_OF[property] ?? property;
}

/** Reads from the end of a tag's name. Returns undefined if a parser would have to repair the tag. */
export function readAttributes(html: string, at: number): WrittenAttributes | undefined {
  const pairs: string[] = [];
  ATTRIBUTE.lastIndex = at;
  let end = at;
  for (let found = ATTRIBUTE.exec(html); found; found = ATTRIBUTE.exec(html)) {
    pairs.push(found[1] as string, found[2] ?? found[3] ?? found[4] ?? '');
    end = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = end;
  const closing = TAG_END.exec(html);
  return closing ? { pairs, isSelfClosing: closing[1] !== '', end: TAG_END.lastIndex } : undefined;
}

/** What the tree way writes for a start tag, and its words. It is empty if the element is removed. */
interface SafeTag {
  html: string;
  words: string;
}

const REMOVED: SafeTag = { html: '', words: '' };

/** Returns undefined if the result is unclear. */
export function safeStartTag(
  { name, attributes: rules }: { name: string; attributes: Map<string, AttributeRule> },
  pairs: string[],
  addresses: Addresses,
): SafeTag | undefined {
  const properties = propertiesOf(rules, pairs);
  if (!properties) return undefined;
  const [tidy] = tidyElement({ type: 'element', tagName: name, properties, children: [] }, addresses);
  if (addresses.hasInvalid) return undefined;
  if (tidy?.type !== 'element') return REMOVED;
  const tag = `<${tidy.tagName}${attributesOf(tidy, rules)}>`;
  const [child] = tidy.children;
  if (child?.type === 'text')
    return { html: `${tag}${escapedText(child.value)}</${tidy.tagName}>`, words: child.value };
  return { html: tag, words: String(properties.alt ?? '') };
}

function attributesOf({ properties }: Element, rules: Map<string, AttributeRule>): string {
  let written = '';
  for (const property in properties) {
    const attribute = attributeOf(property);
    const value = keptValue(properties[property], rules.get(attribute));
    if (value !== undefined) written += ` ${attribute}="${escapedValue(value)}"`;
  }
  return written;
}

function propertiesOf(rules: Map<string, AttributeRule>, pairs: string[]): Properties | undefined {
  const properties: Properties = {};
  for (let at = 0; at < pairs.length; at += 2) {
    const name = (pairs[at] as string).toLowerCase();
    // Trees take such names for the same properties as others.
    if (name === 'classname' || name.includes('--')) return undefined;
    const rule = rules.get(name);
    if (!rule || rule.property in properties) continue;
    const value = decoded(pairs[at + 1] as string, { inAttribute: true });
    if (value === undefined || rule.kind === 'unclear') return undefined;
    properties[rule.property] = typedValue(value, rule.kind);
  }
  return properties;
}

function typedValue(text: string, kind: AttributeRule['kind']): string | number | string[] {
  if (kind === 'number') return text && !Number.isNaN(Number(text)) ? Number(text) : text;
  if (kind === 'text') return text;
  const trimmed = text.trim();
  return trimmed ? trimmed.split(/[ \t\n\r\f]+/) : [];
}

function keptValue(value: Properties[string], rule: AttributeRule | undefined): string | undefined {
  if (!rule?.isKept) return undefined;
  const isAllowed = (one: unknown) =>
    !rule.allowed.length ||
    rule.allowed.some((allowed) => (allowed instanceof RegExp ? allowed.test(String(one)) : allowed === one));
  if (Array.isArray(value)) return value.filter(isAllowed).join(' ').trim();
  return isAllowed(value) ? String(value) : undefined;
}

function escapedValue(value: string): string {
  return value.replace(/["&'`]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
}

export function escapedText(text: string): string {
  return text.replace(/[&<]/g, (character) => (character === '&' ? '&#x26;' : '&#x3C;'));
}
