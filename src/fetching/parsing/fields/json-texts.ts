import { type FieldPath, type Fit, fits, MOST_TEXTS, type TextsAt } from './field-path.js';

/** Keys are walked as elements are; a list is as many of them. Attributes are there none. */
export function jsonTexts(item: unknown): TextsAt {
  return ({ names, attribute }: FieldPath, fit: Fit) => {
    if (attribute !== undefined) return [];
    let values = [item];
    for (const name of names) values = values.flatMap((value) => valuesUnder(value, name, fit)).slice(0, MOST_TEXTS);
    return values.flatMap(textOf);
  };
}

function valuesUnder(value: unknown, name: string, fit: Fit): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([key]) => fits(name, key.toLowerCase(), fit))
    .flatMap(([, inner]) => inner);
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}
