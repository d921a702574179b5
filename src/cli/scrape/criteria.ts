import { UsageError } from '../command.js';

export const CRITERIA = {
  industry: { value: 'text', help: 'what kind of company, such as bakery' },
  geography: { value: 'text', help: 'where, such as Berlin' },
  keyword: { value: 'word', help: 'what must be said about it', many: true },
  type: {
    value: 'type',
    help: 'where to look: google, crunchbase, linkedin, openstreetmap, web, or what your workers know',
    many: true,
  },
  query: { value: 'text', help: 'what to search for, in place of industry, geography and keywords' },
  filter: {
    value: 'name=value',
    help: 'what a place to look needs, such as sites=["https://example.org"]',
    many: true,
  },
} as const;

interface Given {
  industry: string | undefined;
  geography: string | undefined;
  keyword: string[];
  type: string[];
  query: string | undefined;
  filter: string[];
}

export function criteriaOf({ industry, geography, keyword, type, query, filter }: Given) {
  if (!type.length) throw new UsageError('say where to look, with --type: such as --type openstreetmap');
  return {
    ...(industry !== undefined && { industry }),
    ...(geography !== undefined && { geography }),
    keywords: keyword,
    source_types: type,
    ...(query !== undefined && { search_query: query }),
    filters: Object.fromEntries(filter.map(readFilter)),
  };
}

/** A value is JSON where it can be read as such, and text where not. */
function readFilter(text: string): [string, unknown] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--filter takes a name and a value, such as most=10, not ${text}`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
