/** Under which the client keeps what it knows. */
export const PUBLICATION = 'publication';
/** Whole lists, followed by their `Scope`. */
export const PUBLICATIONS = 'publications';
/** Lists that are read page by page. */
export const PAGES = 'publication-pages';
export const PLATFORMS = 'platforms';
export const ACCOUNTS = 'accounts';
