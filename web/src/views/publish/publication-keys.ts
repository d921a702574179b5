/** Query keys. */
export const PUBLICATION = 'publication';
/** Complete lists; the second part of the key is their `Scope`. */
export const PUBLICATIONS = 'publications';
/** Lists read page by page. */
export const PAGES = 'publication-pages';
export const PLATFORMS = 'platforms';
export const ACCOUNTS = 'accounts';
