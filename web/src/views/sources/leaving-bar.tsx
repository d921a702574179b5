import { useEffect, useRef } from 'react';
import { nameOf } from './source';
import type { Leaving } from './use-leaving';

export function LeavingBar({ leaving: { source, undo, now } }: { leaving: Leaving }) {
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
