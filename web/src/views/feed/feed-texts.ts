import { countOf } from '../../design/count-of';

interface SearchResult {
  q: string;
  count: number;
  more: boolean;
}

export function searchResultText({ q, count, more }: SearchResult): string {
  if (!count) return `No posts match “${q}”.`;
  return more ? `More than ${countOf(count, 'post')} found.` : `${countOf(count, 'post')} found.`;
}

export const newPostsText = (count: number): string => countOf(count, 'new post');

export function refreshText(sources: number): string {
  if (!sources) return 'Everything was refreshed moments ago.';
  return `Checking ${countOf(sources, 'source')} for new posts …`;
}
