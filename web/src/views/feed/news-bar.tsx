import { newPostsText } from './feed-texts';
import type { LiveFeed } from './use-live-feed';

/** Overlays the list, so that the rows do not move. */
export function NewsBar({ live: { waiting, missed, show }, onShown }: { live: LiveFeed; onShown: () => void }) {
  if (!waiting && !missed) return null;
  const act = () => {
    show();
    onShown();
  };
  return (
    <button type="button" className="news-bar" onClick={act}>
      {missed ? 'Show new posts' : newPostsText(waiting)} <span aria-hidden="true">↑</span>
    </button>
  );
}
