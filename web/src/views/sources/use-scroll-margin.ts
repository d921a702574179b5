import { type RefObject, useLayoutEffect, useState } from 'react';

/** Distance from the top of the scrolled content to the element, updated when the content above it grows. */
export function useScrollMargin(element: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const scroller = document.getElementById('view');
    const page = element.current?.closest('.page');
    if (!scroller || !page) return;
    const measure = () => {
      const top = element.current?.getBoundingClientRect().top ?? 0;
      setMargin(Math.round(top - scroller.getBoundingClientRect().top + scroller.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(page);
    return () => observer.disconnect();
  }, [element]);
  return margin;
}
