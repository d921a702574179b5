import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Source } from './source';
import { rowId, SourceRow } from './source-row';

/** In pixels. Must equal the height of `.source-row`. */
const ROW_HEIGHT = 60;
const CARD_HEIGHT = 124;
const OVERSCAN = 8;
const COLUMNS = ['Source', 'State', 'Freshness', 'Last post'];

export function SourcesTable({ sources, cameFrom }: { sources: Source[]; cameFrom: string | undefined }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const wide = useWide();
  const scrollMargin = useScrollMargin(body);
  const rows = useVirtualizer({
    count: sources.length,
    getScrollElement: () => document.getElementById('view'),
    estimateSize: () => (wide ? ROW_HEIGHT : CARD_HEIGHT),
    getItemKey: (index) => sources[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
  });
  useReturn(cameFrom, (id) => {
    const index = sources.findIndex((source) => source.id === id);
    if (index >= 0) rows.scrollToIndex(index, { align: 'center' });
  });
  const shown = rows.getVirtualItems();
  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? scrollMargin) + scrollMargin;
  return (
    <table className="sources-table" aria-label="Sources" aria-rowcount={sources.length + 1}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Gap height={above} />
        {shown.map(({ index, key }) => {
          const source = sources[index];
          return source && <SourceRow key={key} source={source} rowIndex={index + 2} />;
        })}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

/** Scrolls to the source that the user comes back from. */
function useReturn(cameFrom: string | undefined, scrollTo: (id: string) => void): void {
  const find = useEffectEvent(scrollTo);
  useEffect(() => {
    if (!cameFrom) return;
    find(cameFrom);
    const frame = requestAnimationFrame(() => document.getElementById(rowId(cameFrom))?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [cameFrom]);
}

/** Takes the place of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it contains nothing focusable
  return <tr aria-hidden="true" className="sources-gap" style={{ height }} />;
}

const wide = window.matchMedia('(min-width: 48.01rem)');

function watch(notify: () => void): () => void {
  wide.addEventListener('change', notify);
  return () => wide.removeEventListener('change', notify);
}

/** The same breakpoint as in the style sheets. */
const useWide = (): boolean => useSyncExternalStore(watch, () => wide.matches);

/** Distance from the top of the scrolled content to the element, updated when the content above it grows. */
function useScrollMargin(element: RefObject<HTMLElement | null>): number {
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
