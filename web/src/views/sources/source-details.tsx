import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { SourceIcon } from '../../design/source-icon';
import { Waiting } from '../../design/waiting';
import { FollowDetails } from './follow-details';
import { FreshnessMeter } from './freshness-meter';
import { intervalText } from './interval-text';
import { nameOf, type Source } from './source';
import { StateBadge } from './state-badge';
import { toLocalTimes } from './to-local-times';
import { useSource } from './use-source';

export function SourceDetails({ id, leave }: { id: string; leave: (source: Source) => void }) {
  const known = useSource(id);
  const { data, error, refetch } = known.source;
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    document.getElementById('view')?.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="page source-details" ref={top} tabIndex={-1} aria-label="Source">
      <p>
        <Link href="/sources">← All sources</Link>
      </p>
      {data && <Details source={data} known={known} leave={leave} />}
      {!data && <h1>Source {id}</h1>}
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {!data && !error && <Waiting for="source" />}
    </section>
  );
}

interface Props {
  source: Source;
  known: ReturnType<typeof useSource>;
  leave: (source: Source) => void;
}

function Details({ source, known, leave }: Props) {
  return (
    <>
      <div className="page-head">
        <div className="source-title">
          <h1>{nameOf(source)}</h1>
          <p className="row small soft">
            <SourceIcon url={source.iconUrl} name={nameOf(source)} />
            <StateBadge state={source.condition.state} /> {source.type}
            <Address {...source} />
          </p>
        </div>
        <Actions source={source} known={known} leave={leave} />
      </div>
      <Condition {...source.condition} />
      <SourceNumbers source={source} />
      <div className="source-columns">
        <div className="panel">
          <h2>Fetch schedule</h2>
          <FreshnessMeter source={source} />
          <Schedule schedule={known.schedule} />
        </div>
        <FollowDetails key={`${source.title} ${source.folder} ${source.maxDelayMinutes}`} source={source} />
      </div>
    </>
  );
}

function Condition({ state, reason }: Source['condition']) {
  if (state === 'failing' || state === 'gone') return <div className="source-error">{reason}</div>;
  return <p className="small soft">{reason}</p>;
}

function Address({ externalId, siteUrl }: Source) {
  const address = siteUrl ?? (URL.canParse(externalId) ? externalId : undefined);
  if (!address) return <span>{externalId}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  );
}

function Actions({ source, known, leave }: Props) {
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const refresh = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/feed/refresh', { body: { source: source.id } })),
    onMutate: () => known.await(),
    onError: (error) => announce(`Could not fetch it. ${error.message}`),
  });
  return (
    <div className="row">
      <Link href={`/feed?source=${source.id}`} className="button">
        Read posts
      </Link>
      <button type="button" disabled={refresh.isPending || known.waiting} onClick={() => refresh.mutate()}>
        {known.waiting ? 'Fetching …' : 'Fetch now'}
      </button>
      <button
        type="button"
        className="danger"
        onClick={() => {
          leave(source);
          navigate('/sources');
        }}
      >
        Unfollow
      </button>
    </div>
  );
}

function SourceNumbers({ source }: { source: Source }) {
  const { lastSuccessAt, nextFetchAt, lastPostAt, followers, activeFollowers, consecutiveFailures } = source;
  const time = (at: string | null, none: string) => (at ? <RelativeTime at={at} /> : none);
  const facts = [
    ['Last success', time(lastSuccessAt, 'not yet')],
    ['Next fetch', time(nextFetchAt, 'not scheduled')],
    ['Interval', intervalText(source.intervalSeconds)],
    ['Last post', time(lastPostAt, 'none yet')],
    ['Followers', `${followers} (${activeFollowers} active)`],
    ['Consecutive failures', consecutiveFailures],
  ] as const;
  return (
    <dl className="stats">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Schedule({ schedule: { data, error, refetch } }: { schedule: ReturnType<typeof useSource>['schedule'] }) {
  if (error) return <ProblemNote error={error} onRetry={refetch} />;
  if (!data) return <p className="soft">…</p>;
  const numbers = { policy: data.policy, priority: data.priority, ...data.terms, postsPerDay: data.postsPerDay };
  return (
    <>
      <ul className="because">
        {data.because.map((sentence) => (
          <li key={sentence}>{toLocalTimes(sentence)}</li>
        ))}
      </ul>
      <details className="small">
        <summary>Details</summary>
        <dl className="terms">
          {Object.entries(numbers).map(([name, value]) => (
            <div key={name}>
              <dt>{splitCamelCase(name)}</dt>
              <dd>{typeof value === 'string' ? toLocalTimes(value) : (value ?? '–')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

const splitCamelCase = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
