import { countOf } from '../../design/count-of';

interface Found {
  q: string;
  count: number;
  more: boolean;
}

export function foundInWords({ q, count, more }: Found): string {
  if (!count) return `Nothing found for “${q}”.`;
  return more ? `More than ${countOf(count, 'post')} found.` : `${countOf(count, 'post')} found.`;
}

export const newPostsInWords = (count: number): string => countOf(count, 'new post');

export function refreshedInWords(sources: number): string {
  if (!sources) return 'Nothing to fetch: all that you follow was asked just now.';
  return `${countOf(sources, 'source')} asked for news. What is new appears here.`;
}
