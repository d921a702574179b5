import type { Act } from './closing';
import type { LetterFilter } from './letter-filter';
import type { Order } from './use-close-letters';

interface Props {
  filter: LetterFilter;
  open: string[];
  selected: string[];
  /** Number of open dead letters that match the filter; undefined until the whole list is loaded. */
  count: number | undefined;
  isBusy: boolean;
  ask: (order: Order, count?: number) => void;
  onSelect: (ids: string[]) => void;
}

/** Acts on the selection or, without one, on all dead letters that match the filter. */
export function LetterTools({ filter, open, selected, count, isBusy, ask, onSelect }: Props) {
  const isAll = selected.length > 0 && selected.length === open.length;
  const go = (act: Act) =>
    selected.length ? ask({ act, which: { ids: selected } }) : ask({ act, which: { filter } }, count);
  const what = selected.length ? `${selected.length} selected` : 'all';
  return (
    <div className="letters-tools">
      {open.length > 0 && (
        <>
          <label className="row small">
            <input
              type="checkbox"
              checked={isAll}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && !isAll;
              }}
              onChange={() => onSelect(isAll ? [] : open)}
            />
            Select all shown
          </label>
          <button type="button" disabled={isBusy} onClick={() => go('replay')}>
            {isBusy ? 'Working …' : `Replay ${what}`}
          </button>
          <button type="button" className="danger" disabled={isBusy} onClick={() => go('discard')}>
            Discard {what}
          </button>
        </>
      )}
    </div>
  );
}
