import { newPostsInWords } from './in-words';
import type { LiveFeed } from './use-live-feed';

/** Lies over the list, so that nothing moves when it comes. */
export function NewsBar({ live: { waiting, missed, show }, onShown }: { live: LiveFeed; onShown: () => void }) {
  if (!waiting && !missed) return null;
  const act = () => {
    show();
    onShown();
  };
  return (
    <button type="button" className="news-bar" onClick={act}>
      {missed ? 'Show new posts' : newPostsInWords(waiting)} <span aria-hidden="true">↑</span>
    </button>
  );
}
