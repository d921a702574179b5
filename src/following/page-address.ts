import { parseWebAddress } from '../platform/http/web-address.js';

/** `@user@host`, as the fediverse writes its accounts. */
const ACCOUNT = /^@([\w.-]+)@([\w-]+(?:\.[\w-]+)+)$/;
const HOST = /^(?:[^\s/?#:@]+\.[^\s/?#:@]+|\[[\da-f:.]+\]|localhost)(?::\d{1,5})?(?:[/?#]|$)/i;

/** The addresses that somebody who typed this may mean, the likeliest first; none if it is no web address. */
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

/** As they were given, with the user name and password that a private feed may need. */
const webAddresses = (...texts: string[]) => texts.filter((text) => parseWebAddress(text)).map((text) => new URL(text));
