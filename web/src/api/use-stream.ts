import { useEffect, useEffectEvent, useState } from 'react';

export type StreamState = 'connecting' | 'open' | 'lost';

/**
 * Listens to a stream of events while the part that asks is shown. `path` undefined listens to nothing. The browser comes
 * back by itself after a lost connection; `hear` gets each event's name and data.
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
    const source = new EventSource(path);
    source.onopen = () => setState('open');
    source.onerror = () => setState('lost');
    for (const name of names.split(' ')) {
      source.addEventListener(name, (event: MessageEvent<string>) => onEvent(name, JSON.parse(event.data)));
    }
    return () => source.close();
  }, [path, names]);
  return state;
}
