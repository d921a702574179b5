import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { Waiting } from '../../design/waiting';
import type { Act } from './closing';
import { StateBadge } from './state-badge';
import { type DeadLetter, useDeadLetter } from './use-dead-letters';

interface Props {
  id: string;
  isBusy: boolean;
  /** Called when another dead letter is shown. */
  takesFocus: () => boolean;
  onAct: (act: Act) => void;
}

export function LetterDetail({ id, isBusy, takesFocus, onAct }: Props) {
  const { data: letter, error, refetch } = useDeadLetter(id);
  const heading = useRef<HTMLHeadingElement>(null);
  const search = useSearch();
  const focus = useEffectEvent(() => takesFocus() && heading.current?.focus({ preventScroll: true }));
  useEffect(() => void (id && focus()), [id]);
  return (
    <article className="panel letter" aria-labelledby="letter">
      <Link href={`/dead-letters${search && `?${search}`}`} className="letters-back small">
        ← All dead letters
      </Link>
      <div className="page-head">
        <h2 id="letter" ref={heading} tabIndex={-1} className="row">
          Dead letter {id} {letter && <StateBadge state={letter.state} />}
        </h2>
        {letter?.state === 'open' && (
          <div className="row">
            <button type="button" className="primary" disabled={isBusy} onClick={() => onAct('replay')}>
              {isBusy ? 'Working …' : 'Replay'}
            </button>
            <button type="button" className="danger" disabled={isBusy} onClick={() => onAct('discard')}>
              Discard
            </button>
          </div>
        )}
      </div>
      {error && !letter && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!error && !letter && <Waiting for={`dead letter ${id}`} />}
      {letter && <Content letter={letter} />}
    </article>
  );
}

function Content({ letter }: { letter: DeadLetter }) {
  const { queue, jobName, payload, reason, attempts, firstFailedAt, lastFailedAt, closedAt, history } = letter;
  const replayOf = letter.links.replayOf?.split('/').at(-1);
  return (
    <>
      <p className="letter-why">{reason}</p>
      <dl className="letter-data">
        <dt>Queue</dt>
        <dd>{queue === jobName ? queue : `${queue}, job ${jobName}`}</dd>
        <dt>Attempts</dt>
        <dd>{attempts}</dd>
        <dt>First failed</dt>
        <dd>
          <RelativeTime at={firstFailedAt} />
        </dd>
        <dt>Last failed</dt>
        <dd>
          <RelativeTime at={lastFailedAt} />
        </dd>
        {closedAt && (
          <>
            <dt>{letter.state === 'replayed' ? 'Replayed' : 'Discarded'}</dt>
            <dd>
              <RelativeTime at={closedAt} />
            </dd>
          </>
        )}
        {replayOf && (
          <>
            <dt>Replay of</dt>
            <dd>
              <Link href={`/dead-letters/${replayOf}`}>dead letter {replayOf}</Link>
            </dd>
          </>
        )}
      </dl>
      <LetterHistory history={history} />
      <h3>Payload</h3>
      <pre>{JSON.stringify(payload, null, 2)}</pre>
    </>
  );
}

function LetterHistory({ history }: { history: DeadLetter['history'] }) {
  if (!history.length) return null;
  return (
    <>
      <h3>History</h3>
      <ol className="letter-history small">
        {history.map(({ at, reason }) => (
          <li key={at}>
            <time dateTime={at} className="soft">
              {new Date(at).toLocaleString()}
            </time>
            <span>{reason}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
