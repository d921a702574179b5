import { fromCdf } from './from-cdf.js';
import { prologOf } from './prolog.js';

export function usualShape(document: string): string {
  const text = withoutUndeclaredRss(document);
  const { root } = prologOf(text);
  const [tag = '', prefix, name] =
    /^<(?:([\w.-]{1,99}):)?([\w.-]{1,99})[^>]{0,10000}>/.exec(text.slice(root, root + 11_000)) ?? [];
  switch (name?.toLowerCase()) {
    case 'entry':
      return inside(prefix ? `${prefix}:feed` : 'feed', tag, text.slice(root));
    case 'channel':
      return inside('rss version="2.0"', tag, fromCdf(text.slice(root)));
    case 'rss':
      return usualShapeOfRss(prefix ? withoutPrefix(text, prefix) : text);
    case 'rdf':
      return itemsBesideChannel(withoutContents(text));
    default:
      return text;
  }
}

function usualShapeOfRss(text: string): string {
  return has(text, 'channel') ? text : withChannel(text);
}

/** Some feeds use the prefix `rss:` without declaring it. */
function withoutUndeclaredRss(text: string): string {
  return text.includes('<rss:') && !text.includes('xmlns:rss') ? withoutPrefix(text, 'rss') : text;
}

/** RSS 2.0 has no namespace, but some feeds declare one and prefix all elements. */
function withoutPrefix(text: string, prefix: string): string {
  return text.replace(new RegExp(`(</?)${prefix.replaceAll('.', '\\.')}:(?=[A-Za-z])`, 'g'), '$1');
}

function inside(element: string, tag: string, text: string): string {
  const namespaces = tag.match(/\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')/g)?.join('') ?? '';
  return `<${element}${namespaces}>${text}</${element.split(' ')[0]}>`;
}

function withChannel(text: string): string {
  return text
    .replace(/<(?:[\w.-]+:)?rss(?:\s[^>]*)?(?<!\/)>/i, '$&<channel>')
    .replace(/<\/(?:[\w.-]+:)?rss\s*>/i, '</channel>$&');
}

/** RSS 1.0 lists its items in the channel. The list is removed, because items missing from it are valid, too. */
function withoutContents(text: string): string {
  const start = text.search(/<(?:[\w.-]{1,99}:)?items[\s>]/i);
  if (start < 0) return text;
  const [end] = /<\/(?:[\w.-]{1,99}:)?items\s*>/i.exec(text.slice(start)) ?? [];
  return end ? text.slice(0, start) + text.slice(text.indexOf(end, start) + end.length) : text;
}

/** In RSS 1.0 items follow the channel, but some feeds put them inside it as in other versions. */
function itemsBesideChannel(text: string): string {
  const item = text.search(/<(?:[\w.-]{1,99}:)?item[\s>]/i);
  const [end = ''] = /<\/(?:[\w.-]{1,99}:)?channel\s*>/i.exec(text) ?? [];
  const endAt = end ? text.indexOf(end) : -1;
  if (item < 0 || endAt < item) return text;
  return text.slice(0, item) + end + text.slice(item, endAt) + text.slice(endAt + end.length);
}

function has(text: string, element: string): boolean {
  return new RegExp(`<(?:[\\w.-]{1,99}:)?${element}[\\s>]`, 'i').test(text);
}
