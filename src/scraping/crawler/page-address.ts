import { canParseUrl } from '../../platform/can-parse-url.js';
import { WORTH, type Worth } from './page-worth.js';

const MAX_LENGTH = 500;
const MAX_SEGMENTS = 8;
const MAX_PARAMETERS = 2;
const TRACKING = /^(utm_.*|gclid|fbclid|msclkid|mc_[ce]id|ref|phpsessid|jsessionid|sid|session_?id)$/i;
/** Parameters with endless values, each of which is another address of the same content. */
const TRAPS =
  /^(sort|order|orderby|dir|filter.*|page|paged|p|offset|start|limit|date|day|week|month|year|cal.*|view|format|print|replytocom|share|add.to.cart|q|s|search|redirect.*|return.*|next|token)$/i;
const NO_PAGE =
  /\.(?!html?$|xhtml$|php\d?$|aspx?$|jspx?$|cfm$|cgi$|pl$|do$|shtml$)[a-z][a-z0-9]{1,4}$|\/(wp-json|wp-admin|wp-login\.php|wp-content|cgi-bin|cdn-cgi|feed|rss|login|logout|signin|signup|register|cart|checkout|warenkorb|basket|account|xmlrpc\.php)(\/|$)/i;

export function pageAddress(text: string): URL | undefined {
  if (!canParseUrl(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  Object.assign(url, { hash: '', username: '', password: '' });
  url.pathname = url.pathname.replace(/;(jsessionid|phpsessid)=[^/]*/i, '');
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url;
}

export function pageKey({ hostname, port, pathname, searchParams }: URL): string {
  const path = pathname.replace(/\/(index|default)\.\w{2,5}$/i, '/').replace(/(?<!^)\/+$/, '');
  const query = [...searchParams].map(([name, value]) => `${name}=${value}`).toSorted();
  return `${hostname.replace(/^www\./, '')}:${port}${path || '/'}?${query.join('&')}`;
}

export function isWorthAsking({ href, pathname, searchParams }: URL, worth: Worth): boolean {
  const segments = pathname.split('/').filter(Boolean);
  if (href.length > MAX_LENGTH || segments.length > MAX_SEGMENTS || NO_PAGE.test(pathname)) return false;
  if (segments.some((one) => segments.filter((other) => other === one).length > 2)) return false;
  const names = [...searchParams.keys()];
  // Old sites have their imprint at ?id=7. Other addresses with a query are more likely one of thousands.
  return (
    !names.length || (worth < WORTH.other && names.length <= MAX_PARAMETERS && !names.some((name) => TRAPS.test(name)))
  );
}
