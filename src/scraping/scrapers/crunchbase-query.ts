import type { Criteria } from '../scraper.js';
import type { OneOf } from './crunchbase-names.js';

/** The most that the API takes. */
const MOST_PREDICATES = 25;
const MOST_VALUES = 200;

export interface Predicate {
  type: 'predicate';
  field_id: string;
  operator_id: 'includes' | 'contains';
  values: string[];
}

interface Known {
  /** Undefined if it is no industry of theirs: then descriptions are searched for it. */
  industry: OneOf | undefined;
  places: OneOf[];
}

const predicate = (field_id: string, operator_id: Predicate['operator_id'], values: string[]): Predicate => ({
  type: 'predicate',
  field_id,
  operator_id,
  values: values.slice(0, MOST_VALUES),
});

/** Companies that meet all of these; of the keywords at least one. */
export function predicatesFor({ industry, keywords, searchQuery = '' }: Criteria, known: Known): Predicate[] {
  const unknownIndustry = industry?.trim() && !known.industry ? [industry.trim()] : [];
  const words = keywords.map((keyword) => keyword.trim()).filter(Boolean);
  return [
    predicate('facet_ids', 'includes', ['company']),
    ...[known.industry ?? [], known.places].flat().map(({ field, uuids }) => predicate(field, 'includes', uuids)),
    ...(words.length ? [predicate('description', 'contains', words)] : []),
    ...[...unknownIndustry, ...termsOf(searchQuery)].map((term) => predicate('description', 'contains', [term])),
  ].slice(0, MOST_PREDICATES);
}

const SHORTEST_TERM = 3;

/** The words and "quoted phrases" of a query; what only search engines understand is left out. */
export function termsOf(query: string): string[] {
  const terms = [...query.matchAll(/(-?[\w]*:?)"([^"]+)"|(\S+)/gu)].map(([, before, phrase, word]) =>
    before ? '' : (phrase ?? word ?? ''),
  );
  const plain = terms.filter((term) => !/^(-|\w+:|OR$|AND$)/.test(term)).map((term) => term.replaceAll('"', '').trim());
  return [...new Set(plain.filter((term) => term.length >= SHORTEST_TERM))];
}
