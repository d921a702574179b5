import type { Fields } from './field-mapping.js';

/** Number of characters of a value that can be searched. An index entry is limited to 2,700 bytes. */
export const MAX_VALUE_LENGTH = 200;

/** A filter `field.<name>=<value>`: an exact term, or the beginning of one. */
export type FieldQuery = { term: string } | { beginning: string };

/** Returns the searchable terms of all fields, normalised in case and white space: `location=berlin`. */
export function fieldTerms(fields: Fields): string[] {
  const terms = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => termOf(name, one)));
  return [...new Set(terms)];
}

/** A value that ends in `*` matches by its beginning; `*` alone matches every item with the field. */
export function fieldQuery(name: string, value: string): FieldQuery {
  const asked = value.trim();
  if (!asked.endsWith('*')) return { term: termOf(name, asked) };
  return { beginning: `${name}=${folded(asked.slice(0, -1).trimStart())}` };
}

/** A longer value ends in an ellipsis, so that only its beginning can be found. */
function termOf(name: string, value: string): string {
  const text = folded(value.trim());
  const kept = text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : text;
  return `${name}=${kept}`;
}

const folded = (text: string) => text.replaceAll('\0', '').toWellFormed().toLowerCase().normalize('NFC');
