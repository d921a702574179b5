import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';

type Announce = (text: string) => void;
const Context = createContext<Announce>(() => {});
const SHOWN_MS = 5_000;

/** Shows a short message in a corner, and to screen readers, for `SHOWN_MS`. */
export function Announcer({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  const timer = useRef<number>(undefined);
  const announce = useCallback<Announce>((message) => {
    setText(message);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setText(''), SHOWN_MS);
  }, []);
  return (
    <Context value={announce}>
      {children}
      <div className={text ? 'announcement shown' : 'announcement'} role="status" aria-live="polite">
        {text}
      </div>
    </Context>
  );
}

export const useAnnounce = (): Announce => use(Context);
