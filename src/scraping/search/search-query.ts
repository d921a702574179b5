import { parse } from 'tldts';
import type { Criteria } from '../scraper.js';

/** The engine ignores further words. */
const MAX_WORDS = 32;

interface Restrictions {
  site: string[];
  exclude: string[];
}

/** Restrictions are counted first, so that the engine does not ignore them. */
export function searchQuery(criteria: Criteria, { site, exclude }: Restrictions): string | undefined {
  const restricting = [site.map((one) => `site:${one}`).join(' OR '), ...exclude.flatMap(excluding)].filter(Boolean);
  const budget = MAX_WORDS - restricting.reduce((sum, term) => sum + countWords(term), 0);
  const { searchQuery, industry, geography, keywords } = criteria;
  const wanted = wordsOf([searchQuery, industry, geography].join(' ')).slice(0, budget);
  const alternatives = fitting(keywords.flatMap(phrase), budget - wanted.length);
  if (!wanted.length && !alternatives.length) return undefined;
  return [closed(wanted.join(' ')), alternatives.join(' OR '), ...restricting].filter(Boolean).join(' ');
}

function excluding(text: string): string[] {
  const { domain, isIcann } = parse(text);
  // A name such as Node.js is not a site.
  const isSite = domain && isIcann && !/\s/.test(text);
  return isSite ? [`-site:${text}`] : phrase(text).map((term) => `-${term}`);
}

/** The text is quoted unless it is a plain word, so that it contains no operators. */
function phrase(text: string): string[] {
  const words = wordsOf(text.replaceAll('"', ' '));
  const isPlain =
    words.length === 1 && /^[\p{L}\p{N}][^:]*$/u.test(words[0] ?? '') && !/^(OR|AND)$/.test(words[0] ?? '');
  if (!words.length) return [];
  return [isPlain ? words.join(' ') : `"${words.join(' ')}"`];
}

function fitting(terms: string[], budget: number): string[] {
  const kept: string[] = [];
  for (const term of new Set(terms)) {
    budget -= countWords(term);
    if (budget < 0) break;
    kept.push(term);
  }
  return kept;
}

function closed(text: string): string {
  return text.split('"').length % 2 ? text : text.replaceAll('"', '');
}

const countWords = (term: string) => wordsOf(term).filter((word) => word !== 'OR').length;

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
