/** Directives with a value, whose colon would make them look like the name of a crawler. */
const WITH_VALUES = /^(unavailable_after|max-[a-z-]+)$/;

interface RobotsWishes {
  noFollow: boolean;
  noIndex: boolean;
}

/** Returns the directives of a `robots` meta tag or an `X-Robots-Tag` header for all crawlers or for Millrace. */
export function robotsWishes(header: string): RobotsWishes {
  let isForUs = true;
  const wishes = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [, crawler, directive] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
    const isNamed = crawler !== undefined && !WITH_VALUES.test(crawler);
    if (isNamed) isForUs = crawler === 'millrace' || crawler === 'robots';
    if (isForUs) wishes.add((isNamed ? (directive ?? '') : part).trim());
  }
  const asks = (wish: string) => wishes.has(wish) || wishes.has('none');
  return { noFollow: asks('nofollow'), noIndex: asks('noindex') };
}
