import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { answer, api } from '../../../api/client';
import { Badge } from '../../../design/badge';
import { ProblemNote } from '../../../design/problem-note';
import { RelativeTime } from '../../../design/relative-time';
import { Waiting } from '../../../design/waiting';
import { newerOf } from '../known-publications';
import { mayResolve, type Publication, STATUS_LABELS, waitingText } from '../publication';
import { PUBLICATION } from '../publication-keys';
import { Actions } from './actions';
import { Content } from './content';
import { Edit } from './edit';
import { Facts } from './facts';
import { Resolve } from './resolve';

export function Details({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [PUBLICATION, id],
    staleTime: 0,
    queryFn: async () => newerOf(await answer(api.GET('/api/v1/publications/{id}', { params: { path: { id } } }))),
  });
  if (data) return <Shown publication={data} />;
  if (error) return <NotThere error={error} onRetry={refetch} />;
  return <Waiting for="publication" />;
}

function NotThere({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <>
      <ProblemNote error={error} onRetry={onRetry} />
      <Link href="/publish">← Queue</Link>
    </>
  );
}

function Shown({ publication }: { publication: Publication }) {
  const [editing, setEditing] = useState(false);
  const { status, lastError } = publication;
  return (
    <article className="details" aria-labelledby="publication">
      <Head {...publication} />
      {lastError && status !== 'published' && (
        <div className="problem">
          <p>{lastError}</p>
        </div>
      )}
      {mayResolve(publication) && <Resolve publication={publication} />}
      <div className="details-columns">
        <div className="panel">
          {editing ? (
            <Edit publication={publication} onEnd={() => setEditing(false)} />
          ) : (
            <>
              <Content {...publication} />
              <Actions publication={publication} onEdit={() => setEditing(true)} />
            </>
          )}
        </div>
        <div className="panel">
          <Facts {...publication} />
          <Timeline history={publication.history} />
        </div>
      </div>
    </article>
  );
}

function Head(publication: Publication) {
  const { name, tone } = STATUS_LABELS[publication.status];
  const [, navigate] = useLocation();
  const back = () => (history.length > 1 ? history.back() : navigate('/publish'));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="row">
      <button type="button" className="quiet" onClick={back}>
        ← Back
      </button>
      <h2 id="publication" ref={heading} tabIndex={-1}>
        Publication {publication.id}
      </h2>
      <Badge tone={tone}>{name}</Badge>
      <WhyItWaits {...publication} />
    </div>
  );
}

function WhyItWaits(publication: Publication) {
  const waits = waitingText(publication);
  return (
    <span className="soft" aria-live="polite">
      {waits} {publication.waitsUntil && <RelativeTime at={publication.waitsUntil} />}
    </span>
  );
}

function Timeline({ history }: Pick<Publication, 'history'>) {
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ol className="timeline">
        {history
          .map((change, nr) => ({ ...change, nr }))
          .toReversed()
          .map(({ nr, at, to, reason }) => (
            <li key={nr}>
              <Badge tone={STATUS_LABELS[to].tone}>{STATUS_LABELS[to].name}</Badge>
              <span className="break">{reason}</span>
              <span className="soft small">
                <RelativeTime at={at} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
}
