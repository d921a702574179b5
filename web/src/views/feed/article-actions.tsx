import type { ReactNode } from 'react';
import type { ReadingState } from './use-reading';

export function ArticleActions({ reading, children }: { reading: ReadingState; children: ReactNode }) {
  const { post, previous, next, goTo, toggleRead, toggleStar } = reading;
  return (
    <div className="article-actions" role="toolbar" aria-label="This post">
      {children}
      <button type="button" disabled={!post} aria-pressed={post?.starred ?? false} title="s" onClick={toggleStar}>
        <span aria-hidden="true">{post?.starred ? '★' : '☆'}</span> Star
      </button>
      <button type="button" disabled={!post} title="m" onClick={toggleRead}>
        {post?.read === false ? 'Mark as read' : 'Mark as unread'}
      </button>
      {post?.url && (
        <a className="button" href={post.url} target="_blank" rel="noopener noreferrer" title="o">
          <span>
            Open<span className="article-open-long"> original</span>
          </span>
        </a>
      )}
      <span className="article-steps">
        <button type="button" aria-label="Previous post" title="k" disabled={!previous} onClick={() => goTo(previous)}>
          ↑
        </button>
        <button type="button" aria-label="Next post" title="j" disabled={!next} onClick={() => goTo(next)}>
          ↓
        </button>
      </span>
    </div>
  );
}
