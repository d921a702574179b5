import type { FoundPost } from '../../../posts/post.js';
import type { FieldPaths } from '../../fetcher.js';
import { type FieldPath, fieldPath, type TextsAt } from './field-path.js';
import { fieldValue } from './field-value.js';
import { jsonTexts } from './json-texts.js';
import { xmlTexts } from './xml-texts.js';

type Fields = NonNullable<FoundPost['fields']>;

/** Takes an item as it is written: a text is what stands in its element, anything else a value of JSON. */
export type FieldReader = (raw: unknown) => Fields;

export function fieldReader(fields: FieldPaths): FieldReader {
  const wanted = Object.entries(fields).map(([name, paths]) => ({ name, paths: paths.map(fieldPath) }));
  const textsInXml = xmlTexts(wanted.flatMap(({ paths }) => paths));
  return (raw) => {
    const textsAt = typeof raw === 'string' ? textsInXml(raw) : jsonTexts(raw);
    const found: Fields = {};
    for (const { name, paths } of wanted) {
      const value = firstValue(paths, textsAt);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
}

function firstValue(paths: FieldPath[], textsAt: TextsAt): string | string[] | undefined {
  for (const path of paths) {
    const value = fieldValue(textsAt(path, 'exact')) ?? fieldValue(textsAt(path, 'loose'));
    if (value !== undefined) return value;
  }
  return undefined;
}
