import { type ReactNode, useState } from 'react';

const MAX_COLLAPSED = 2;

interface Props {
  items: string[];
  show: (item: string) => ReactNode;
}

export function LongList({ items, show }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, MAX_COLLAPSED);
  return (
    <ul className="long-list">
      {shown.map((item) => (
        <li key={item}>{show(item)}</li>
      ))}
      {items.length > shown.length && (
        <li>
          <button type="button" className="quiet" onClick={() => setAll(true)}>
            {items.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}
