import { useEffect, useMemo, useRef } from 'react';

/** HTML that the server has made safe. What it lacks for this page is added after. */
export function ArticleContent({ html }: { html: string }) {
  const content = useRef<HTMLDivElement>(null);
  // The same object for the same text, so that React leaves alone what was added.
  const inner = useMemo(() => ({ __html: html }), [html]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another content
  useEffect(() => {
    if (content.current) complete(content.current);
  }, [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server
  return <div className="article-content" ref={content} dangerouslySetInnerHTML={inner} />;
}

/** Links open beside the page; what scrolls sideways can be reached by keyboard; a picture without words is decoration. */
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
