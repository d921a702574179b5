import { prologOf } from './prolog.js';

/** Entities stand for a letter or a word, so a longer one (in characters) is an attack or a mistake. */
const MAX_VALUE_LENGTH = 200;
const MAX_ENTITIES = 1_000;
const MAX_GROWTH = 1_000_000;

const ENTITY = /<!ENTITY\s+([A-Za-z_][\w.-]{0,99})\s+(?:"([^"<]{0,200})"|'([^'<]{0,200})')\s*>/gi;

/** Entities declared as plain characters are replaced once, without recursion. */
export function dropDoctype(text: string): string {
  const { doctype } = prologOf(text);
  if (!doctype) return text;
  const rest = text.slice(0, doctype.start) + text.slice(doctype.end);
  const entities = declaredEntities(text.slice(doctype.start, doctype.end));
  return entities.size === 0 ? rest : expand(rest, entities);
}

function declaredEntities(doctype: string): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [, name = '', double, single] of doctype.matchAll(ENTITY)) {
    const value = double ?? single ?? '';
    const refersToAnother = /&(?!#|(?:amp|lt|gt|quot|apos);)/.test(value);
    if (value.length <= MAX_VALUE_LENGTH && !refersToAnother && !entities.has(name)) entities.set(name, value);
    if (entities.size >= MAX_ENTITIES) break;
  }
  return entities;
}

function expand(text: string, entities: Map<string, string>): string {
  let growth = 0;
  return text.replace(/&([A-Za-z_][\w.-]{0,99});/g, (reference, name: string) => {
    const value = entities.get(name);
    if (value === undefined || growth > MAX_GROWTH) return reference;
    growth += value.length;
    return value;
  });
}
