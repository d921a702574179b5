/** Where a field may be found in an item. */
export interface FieldPath {
  /** Of elements or keys on the way down, in lower case. */
  names: string[];
  /** Of the last of them. */
  attribute?: string | undefined;
}

/** From `company`, `location/city`, `media:content@url`. */
export function fieldPath(written: string): FieldPath {
  const [way = '', attribute] = written.toLowerCase().split('@');
  return { names: way.split('/'), attribute };
}

export type Fit = 'exact' | 'loose';

/** A name without a prefix means the one that is written so, and only if there is nothing, one with any prefix. Both in lower case. */
export function fits(wanted: string, name: string, fit: Fit): boolean {
  return name === wanted || (fit === 'loose' && !wanted.includes(':') && name.endsWith(`:${wanted}`));
}

/** What is written at a path of an item, as HTML. */
export type TextsAt = (path: FieldPath, fit: Fit) => string[];

/** Of what is at one path no more is looked at. */
export const MOST_TEXTS = 1_000;
