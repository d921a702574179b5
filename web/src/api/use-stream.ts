import { useEffect, useEffectEvent, useState } from 'react';

export type StreamState = 'connecting' | 'open' | 'lost';

/** After an answer that was no stream, such as one of a server that is starting, the browser itself gives up. */
const REOPEN_MS = 5_000;

/**
 * Listens to a stream of events while the part that asks is shown. `path` undefined listens to nothing. It comes back by
 * itself after a lost connection; `hear` gets each event's name and data.
 */
export function useStream(
  path: string | undefined,
  events: readonly string[],
  hear: (event: string, data: unknown) => void,
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const onEvent = useEffectEvent(hear);
  const names = events.join(' ');
  useEffect(() => {
    if (path === undefined) return;
    let source: EventSource | undefined;
    let timer: number | undefined;
    const open = () => {
      const opened = new EventSource(path);
      source = opened;
      opened.onopen = () => setState('open');
      opened.onerror = () => {
        setState('lost');
        if (opened.readyState === EventSource.CLOSED) timer = window.setTimeout(open, REOPEN_MS);
      };
      for (const name of names.split(' ')) {
        opened.addEventListener(name, (event: MessageEvent<string>) => onEvent(name, JSON.parse(event.data)));
      }
    };
    open();
    return () => {
      window.clearTimeout(timer);
      source?.close();
    };
  }, [path, names]);
  return state;
}
