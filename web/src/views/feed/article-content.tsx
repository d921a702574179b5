import { useEffect, useMemo, useRef } from 'react';

export function ArticleContent({ html }: { html: string }) {
  const content = useRef<HTMLDivElement>(null);
  // A stable object keeps React from overwriting the attributes that `complete` adds.
  const inner = useMemo(() => ({ __html: html }), [html]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the text changes
  useEffect(() => {
    if (content.current) complete(content.current);
  }, [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server
  return <div className="article-content" ref={content} dangerouslySetInnerHTML={inner} />;
}

/** Opens links in a new tab, makes scrolling blocks focusable and marks images without `alt` as decoration. */
function complete(content: HTMLElement): void {
  for (const link of content.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  for (const image of content.querySelectorAll('img')) {
    image.referrerPolicy = 'no-referrer';
    if (!image.hasAttribute('alt')) image.alt = '';
  }
  for (const wide of content.querySelectorAll<HTMLElement>('pre, table')) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}
