import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useKeys } from '../../keyboard/use-keys';
import type { Act } from './closing';
import { neighbour } from './neighbour';
import type { Order } from './use-close-letters';

interface Options {
  ids: string[];
  opened: string | undefined;
  ask: (order: Order) => void;
}

/** `j` and `k` move through the list; if a dead letter is open, the next one is opened. */
export function useLetterKeys({ ids, opened, ask }: Options) {
  const [focused, setFocused] = useState<string>();
  const [, navigate] = useLocation();
  const byKey = useRef(false);
  const current = opened ?? focused;
  const go = (step: 1 | -1) => {
    const next = neighbour(ids, current, step);
    if (next === undefined) return;
    document.getElementById(`letter-${next}`)?.focus();
    if (opened === undefined || opened === next) return;
    byKey.current = true;
    navigate(`/dead-letters/${next}${location.search}`, { replace: true });
  };
  useKeepFocus(ids, focused);
  const act = (act: Act) => {
    const id = opened ?? ids.find((shown) => shown === focused);
    if (id !== undefined) ask({ act, which: { ids: [id] } });
  };
  useKeys({ j: () => go(1), k: () => go(-1), r: () => act('replay'), x: () => act('discard') });
  const wasKey = () => {
    const was = byKey.current;
    byKey.current = false;
    return was;
  };
  return { setFocused, wasKey };
}

/** If the focused row leaves the list, the focus moves to its neighbour. */
function useKeepFocus(ids: string[], focused: string | undefined): void {
  const keep = useEffectEvent(() => {
    if (focused === undefined || ids.includes(focused) || document.activeElement !== document.body) return;
    document.getElementById(`letter-${neighbour(ids, focused, 1)}`)?.focus();
  });
  const shown = ids.join(' ');
  useEffect(() => void (shown && keep()), [shown]);
}
