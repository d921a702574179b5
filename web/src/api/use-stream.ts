import { useEffect, useEffectEvent, useState } from 'react';

export type StreamState = 'connecting' | 'open' | 'lost';

/** The browser stops reconnecting if a response is not a stream, for example while the server starts. */
const REOPEN_MS = 5_000;

/** Subscribes to server-sent events while the component is mounted, and reconnects. No `path`, no subscription. */
export function useStream(
  path: string | undefined,
  events: readonly string[],
  listener: (event: string, data: unknown) => void,
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const onEvent = useEffectEvent(listener);
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
