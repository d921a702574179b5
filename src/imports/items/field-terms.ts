import type { Fields } from './field-mapping.js';

/** Characters of a value that are looked for. An entry of the index has room for 2,700 bytes. */
export const MAX_VALUE_LENGTH = 200;

/** What one `field.<name>=<value>` asks for: this very term, or one that begins so. */
export type FieldQuery = { term: string } | { beginning: string };

/** Each value of each field as it is looked for, whatever its case and the space around it: `location=berlin`. */
export function fieldTerms(fields: Fields): string[] {
  const terms = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => termOf(name, one)));
  return [...new Set(terms)];
}

/** A value that ends in `*` asks for what begins with the rest of it; `*` alone for whatever has the field. */
export function fieldQuery(name: string, value: string): FieldQuery {
  const asked = value.trim();
  if (!asked.endsWith('*')) return { term: termOf(name, asked) };
  return { beginning: `${name}=${folded(asked.slice(0, -1).trimStart())}` };
}

/** A longer value ends in an ellipsis, so that it is found by its beginning only. */
function termOf(name: string, value: string): string {
  const text = folded(value.trim());
  const kept = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : text;
  return `${name}=${kept}`;
}

const folded = (text: string) => text.replaceAll('\0', '').toWellFormed().toLowerCase().normalize('NFC');
