import { Link, useSearch } from 'wouter';
import { countOf } from '../../design/count-of';
import { RelativeTime } from '../../design/relative-time';
import { StateBadge } from './state-badge';
import type { DeadLetter } from './use-dead-letters';

interface Props {
  letter: DeadLetter;
  isOpened: boolean;
  isTicked: boolean;
  tick: (id: string, isTicked: boolean) => void;
  onFocus: (id: string) => void;
}

export function LetterRow({ letter, isOpened, isTicked, tick, onFocus }: Props) {
  const { id, queue, reason, attempts, firstFailedAt, lastFailedAt, state } = letter;
  const search = useSearch();
  return (
    <li className="letter-row">
      {state === 'open' ? (
        <input
          type="checkbox"
          aria-label={`Select dead letter ${id}`}
          checked={isTicked}
          onChange={(event) => tick(id, event.target.checked)}
        />
      ) : (
        <span />
      )}
      <Link
        id={`letter-${id}`}
        href={`/dead-letters/${id}${search && `?${search}`}`}
        aria-current={isOpened ? 'true' : undefined}
        onFocus={() => onFocus(id)}
      >
        <span className="letter-reason">{reason}</span>
        <span className="letter-facts soft small">
          {state !== 'open' && <StateBadge state={state} />}
          <span>
            {id} · {queue}
          </span>
          <span>{countOf(attempts, 'attempt')}</span>
          <span>
            <RelativeTime at={lastFailedAt} />
            {firstFailedAt !== lastFailedAt && (
              <>
                {' '}
                (first <RelativeTime at={firstFailedAt} />)
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
