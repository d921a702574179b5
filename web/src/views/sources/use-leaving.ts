import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { nameOf, type Source } from './source';
import { SOURCES_KEY } from './use-sources';

const LEAVING_MS = 10_000;

export type Leaving = ReturnType<typeof useLeaving>;

/**
 * Unfollowing deletes read marks, the name and the folder, so it is delayed by `LEAVING_MS` and can be undone until then.
 * Leaving the view or the page unfollows at once.
 */
export function useLeaving() {
  const unfollow = useUnfollow();
  const [source, setSource] = useState<Source>();
  const waiting = useRef<{ left: Source; timer: number }>(undefined);

  /** Returns the source that was about to be unfollowed. */
  const stop = () => {
    const { left, timer } = waiting.current ?? {};
    waiting.current = undefined;
    window.clearTimeout(timer);
    return left;
  };
  const now = async () => {
    const left = stop();
    if (!left) return;
    await unfollow(left);
    setSource((shown) => (shown === left ? undefined : shown));
  };
  const undo = () => {
    if (stop()) setSource(undefined);
  };
  const leave = (left: Source) => {
    void now();
    waiting.current = { left, timer: window.setTimeout(() => void now(), LEAVING_MS) };
    setSource(left);
  };
  useGone(() => void now());
  return { source, leave, undo, now };
}

function useUnfollow() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return async (left: Source) => {
    const params = { path: { id: left.id } };
    try {
      await answer(api.DELETE('/api/v1/sources/{id}/follow', { params, keepalive: true }));
      announce(`Unfollowed ${nameOf(left)}.`);
    } catch (error) {
      announce(`Could not unfollow ${nameOf(left)}. ${error instanceof Error ? error.message : error}`);
    }
    await client.invalidateQueries({ queryKey: SOURCES_KEY });
  };
}

function useGone(act: () => void): void {
  const gone = useEffectEvent(act);
  useEffect(() => {
    const go = () => gone();
    window.addEventListener('pagehide', go);
    return () => {
      window.removeEventListener('pagehide', go);
      go();
    };
  }, []);
}
