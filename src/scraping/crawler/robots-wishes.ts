/** Directives with a value, which a colon alone would make look like the name of a crawler. */
const WITH_VALUES = /^(unavailable_after|max-[a-z-]+)$/;

interface RobotsWishes {
  noFollow: boolean;
  noIndex: boolean;
}

/** What a `robots` meta or an `X-Robots-Tag` asks of everybody, or of us by name. */
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
