import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRoute } from 'wouter';
import { useStream } from '../../api/use-stream';
import { ALL_SOURCES } from './arrange-sources';
import { nameOf } from './source';
import { SourceDetails } from './source-details';
import { SourcesList } from './sources-list';
import { type Leaving, useLeaving } from './use-leaving';
import { SOURCE_KEY, SOURCES_KEY } from './use-sources';
import './sources.css';

const MIN_INTERVAL_MS = 3_000;

export function SourcesView() {
  const [, params] = useRoute('/sources/:id?');
  const [arrangement, setArrangement] = useState(ALL_SOURCES);
  const leaving = useLeaving();
  const cameFrom = usePrevious(params?.id);
  useLiveSources();
  return (
    <>
      {params?.id ? (
        <SourceDetails key={params.id} id={params.id} leave={leaving.leave} />
      ) : (
        <SourcesList {...{ leaving, arrangement, cameFrom }} onArrange={setArrangement} />
      )}
      <LeavingBar leaving={leaving} />
    </>
  );
}

/** The previous different value. */
function usePrevious<Value>(value: Value): Value | undefined {
  const [seen, setSeen] = useState<{ now: Value; before?: Value }>({ now: value });
  if (seen.now === value) return seen.before;
  setSeen({ now: value, before: seen.now });
  return seen.now;
}

function useLiveSources(): void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  useStream('/api/v1/feed/stream', ['post', 'source-failing'], () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of [SOURCES_KEY, SOURCE_KEY]) void client.invalidateQueries({ queryKey });
    }, MIN_INTERVAL_MS);
  });
}

function LeavingBar({ leaving: { source, undo, now } }: { leaving: Leaving }) {
  const button = useRef<HTMLButtonElement>(null);
  const id = source?.id;
  useEffect(() => {
    if (id) button.current?.focus();
  }, [id]);
  if (!source) return null;
  return (
    <div className="leaving" role="status">
      <span>Unfollowing {nameOf(source)} …</span>
      <button type="button" ref={button} onClick={undo}>
        Undo
      </button>
      <button type="button" onClick={() => void now()}>
        Unfollow now
      </button>
    </div>
  );
}
