import { unescape as percentDecode } from 'node:querystring';
import { parse } from 'tldts';

const LOCAL = String.raw`(?<![\w.%+-])([\w.%+-]{1,64})`;
const TOP_LEVEL = String.raw`\p{L}{2,24}(?![\w-])`;
const PLAIN = new RegExp(String.raw`${LOCAL}@((?:[\p{L}\d-]{1,63}\.){1,8}${TOP_LEVEL})`, 'gu');

/** Only bracketed forms count, because "look at acme.de" is not an address. */
const AT = String.raw` ?[[({] ?(?:at|ät|@) ?[\])}] ?`;
const DOT = String.raw`(?:\.| ?[[({] ?(?:dot|punkt|punto|point|\.) ?[\])}] ?)`;
const SPELLED = new RegExp(String.raw`${LOCAL}${AT}((?:[\p{L}\d-]{1,63}${DOT}){1,8}${TOP_LEVEL})`, 'giu');
const SPELLED_DOT = new RegExp(DOT, 'gi');

/** Domains of examples in forms and templates. */
const PLACEHOLDERS = new Set(
  'example.com example.org example.net domain.com yourdomain.com mydomain.com company.com email.com beispiel.de domain.de ihredomain.de musterfirma.de sentry.io wixpress.com'.split(
    ' ',
  ),
);
const MAX_EMAILS = 100;

export function emailsIn(text: string, site: string): string[] {
  const found = [...text.matchAll(PLAIN), ...text.matchAll(SPELLED)].map(([, local = '', domain = '']) =>
    `${local.replace(/^[.%+-]+|\.+$/g, '')}@${domain.replace(SPELLED_DOT, '.')}`.toLowerCase(),
  );
  return [...new Set(found)].filter((email) => isUsable(email, site)).slice(0, MAX_EMAILS);
}

export function emailsOfLink(href: string, site: string): string[] {
  const [, recipients] = /^\s*mailto:([^?]*)/i.exec(href) ?? [];
  return recipients === undefined ? [] : emailsIn(percentDecode(recipients.slice(0, 2_000)), site);
}

/** `logo@2x.png` looks like an address, so the suffix must be a public one, or the domain the site's own. */
function isUsable(email: string, site: string): boolean {
  const [local = '', host = ''] = email.split('@');
  const { domain, isIcann } = parse(host);
  if (!/^[\w%+-]+(\.[\w%+-]+)*$/.test(local) || !domain || PLACEHOLDERS.has(domain)) return false;
  return isIcann === true || domain === site;
}
