import { foldText } from '../leads/fold-text.js';
import type { Criteria } from '../scraper.js';
import { INDUSTRIES } from './osm-industries.js';
import { literally, quoted } from './overpass-text.js';

/** A tag that an element must have: this value, or one that holds this text. */
export type Selector = { key: string; value: string } | { key: string; holds: string };

/** What is looked for, and how it is tagged. */
export interface Kind {
  /** As it was asked for. */
  term: string;
  selectors: Selector[];
}

const FREE_KEYS = ['shop', 'office', 'amenity', 'craft', 'tourism', 'healthcare'];
/** Each is one or six searches. */
const MOST_KINDS = 5;
/** Less is part of everything. */
const SHORTEST_TERM = 3;
const GENERIC =
  /\s+(?:compan(?:y|ies)|firms?|business(?:es)?|services?|providers?|agenc(?:y|ies)|offices?|shops?|stores?|industry|sector)$/;

const BY_WORD = new Map(
  Object.entries(INDUSTRIES).flatMap(([tags, words]) =>
    words.split(',').map((word): [string, Selector[]] => [plain(word), tags.split(' ').map(toSelector)]),
  ),
);

/** The industry; without one, the keywords, which are looked for in what is found otherwise. */
export function kindsOf({ industry, keywords }: Criteria): Kind[] {
  const terms = industry?.trim() ? termsOf(industry) : keywords;
  return terms.flatMap((term) => kindOf(term) ?? []).slice(0, MOST_KINDS);
}

/** Tells which of the terms, keywords included, an element is tagged as, whatever language its name is in. */
export function tagReader({ industry = '', keywords }: Criteria): (tags: Record<string, string>) => string[] {
  const kinds = [...termsOf(industry), ...keywords].flatMap((term) => kindOf(term) ?? []);
  return (tags) => kinds.filter(({ selectors }) => selectors.some((one) => fits(one, tags))).map(({ term }) => term);
}

/** The filter of a query that this is. */
export function filterOf(selector: Selector): string {
  if ('value' in selector) return `[${quoted(selector.key)}=${quoted(selector.value)}]`;
  const pattern = selector.holds.split(' ').map(literally).join('[ _-]');
  return `[${quoted(selector.key)}~${quoted(pattern)},i]`;
}

/** "Cafés, bars" is two; "bed and breakfast" and "B&B" are one each. */
function termsOf(industry: string): string[] {
  return industry
    .split(/[,;/]/)
    .map((term) => term.trim())
    .filter(Boolean);
}

function kindOf(term: string): Kind | undefined {
  const word = plain(term);
  const bare = word.replace(GENERIC, '');
  const known = [...singulars(word), ...singulars(bare)].find((spelling) => BY_WORD.has(spelling));
  if (known) return { term, selectors: BY_WORD.get(known) ?? [] };
  const holds = bare.replace(/(?<=[^s]{3})s$/, '');
  if (holds.length < SHORTEST_TERM) return undefined;
  return { term, selectors: FREE_KEYS.map((key) => ({ key, holds })) };
}

function fits(selector: Selector, tags: Record<string, string>): boolean {
  // Several values of a tag are separated by semicolons; a query for one of them does not find those.
  const value = tags[selector.key]?.toLowerCase();
  if (value === undefined) return false;
  return 'value' in selector ? value === selector.value : value.replace(/[_-]/g, ' ').includes(selector.holds);
}

/** As it is, and without the endings of plurals in English and German. */
function singulars(word: string): string[] {
  return [word, word.replace(/ies$/, 'y'), ...['s', 'es', 'n', 'en', 'e'].map((end) => withoutEnd(word, end))];
}

const withoutEnd = (word: string, end: string): string => (word.endsWith(end) ? word.slice(0, -end.length) : word);

function plain(words: string): string {
  return foldText(words.slice(0, 200))
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

function toSelector(tag: string): Selector {
  const [key = '', value = ''] = tag.split('=');
  return { key, value };
}
