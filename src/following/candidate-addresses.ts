import { parseWebAddress } from '../platform/http/web-address.js';

const ACCOUNT = /^@([\w.-]+)@([\w-]+(?:\.[\w-]+)+)$/;
const HOST = /^(?:[^\s/?#:@]+\.[^\s/?#:@]+|\[[\da-f:.]+\]|localhost)(?::\d{1,5})?(?:[/?#]|$)/i;

const NAMES = ['feed', 'feed.xml', 'rss', 'rss.xml', 'atom.xml', 'index.xml', 'feed.json'];
/** Fewer names are tried beside a page, because each costs a request and most sites use one of these. */
const NAMES_BESIDE_PAGE = ['feed', 'feed.xml', 'rss.xml', 'atom.xml', 'index.xml'];

/** Returns the addresses that a user may have meant, the likeliest first, or none if the text is not a web address. */
export function pageAddresses(text: string): URL[] {
  const typed = text.trim();
  const [, user, host] = ACCOUNT.exec(typed) ?? [];
  if (user) return webAddresses(`https://${host}/@${user}`);
  if (/^feed:\/\//i.test(typed)) return bothSchemes(typed.slice('feed://'.length));
  if (/^feed:https?:/i.test(typed)) return webAddresses(typed.slice('feed:'.length));
  if (/^https?:/i.test(typed)) return webAddresses(typed);
  return HOST.test(typed) ? bothSchemes(typed) : [];
}

const bothSchemes = (rest: string) => webAddresses(`https://${rest}`, `http://${rest}`);

/** User name and password are kept, because a private feed may need them. */
const webAddresses = (...texts: string[]) => texts.filter((text) => parseWebAddress(text)).map((text) => new URL(text));

/** Returns where feeds often are, for a page that names none: beside the page, then at the top of its site. */
export function commonFeedPaths(page: string): string[] {
  const beside = new URL('.', page).href;
  const top = new URL('/', page).href;
  const besidePage = beside === top ? [] : NAMES_BESIDE_PAGE.map((name) => new URL(name, beside).href);
  return [...besidePage, ...NAMES.map((name) => new URL(name, top).href)];
}
