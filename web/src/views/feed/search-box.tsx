import { useEffect, useEffectEvent, useState } from 'react';

export const SEARCH_ID = 'feed-search';
const DEBOUNCE_MS = 250;
const MAX_LENGTH = 500;

/** Esc clears the box; a second Esc leaves it. */
export function SearchBox({ q = '', onSearch }: { q: string | undefined; onSearch: (search: { q: string }) => void }) {
  const [text, setText] = useState(q);
  const [shownFor, setShownFor] = useState(q);
  if (shownFor !== q) {
    setShownFor(q);
    if (text.trim() !== q) setText(q);
  }
  const search = useEffectEvent(() => {
    if (text.trim() !== q) onSearch({ q: text.trim() });
  });
  useEffect(() => {
    const timer = window.setTimeout(search, text ? DEBOUNCE_MS : 0);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <input
      id={SEARCH_ID}
      type="search"
      aria-label="Search posts"
      placeholder="Search posts ( / )"
      value={text}
      maxLength={MAX_LENGTH}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (text) setText('');
        else event.currentTarget.blur();
      }}
    />
  );
}
