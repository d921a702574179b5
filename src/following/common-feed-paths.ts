const NAMES = ['feed', 'feed.xml', 'rss', 'rss.xml', 'atom.xml', 'index.xml', 'feed.json'];
/** Beside a page that is not at the top, fewer are tried: most sites that have any have one of these. */
const NAMES_BESIDE_PAGE = ['feed', 'feed.xml', 'rss.xml', 'atom.xml', 'index.xml'];

/** Where feeds often are, for a page that names none: beside it, then at the top. */
export function commonFeedPaths(page: string): string[] {
  const beside = new URL('.', page).href;
  const top = new URL('/', page).href;
  const besidePage = beside === top ? [] : NAMES_BESIDE_PAGE.map((name) => new URL(name, beside).href);
  return [...besidePage, ...NAMES.map((name) => new URL(name, top).href)];
}
