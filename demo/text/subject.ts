/**
 * What a publication writes about. In every text `{name}` is replaced by one of the phrases of that name, the same one
 * throughout an article. `{place}` and `{publication}` are those of the publication, and `{3-9}` is a number in that range.
 */
export interface Subject {
  phrases: Record<string, string[]>;
  authors: string[];
  titles: string[];
  /** How articles begin, continue and end. Each sentence occurs at most once in an article. */
  openings: string[];
  middles: string[];
  closings: string[];
}
