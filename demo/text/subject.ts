/**
 * What a publication writes about. In every text `{name}` stands for one of the phrases of that name, the same one
 * throughout an article; `{place}` and `{publication}` are the publication's own, `{3-9}` is a number between the two.
 */
export interface Subject {
  phrases: Record<string, string[]>;
  authors: string[];
  titles: string[];
  /** How articles begin, go on and end; a sentence occurs once in an article. */
  openings: string[];
  middles: string[];
  closings: string[];
}
