import type { ReactNode } from 'react';
import type { Reading } from './use-reading';

/** `children` lead back. */
export function ArticleActions({ reading, children }: { reading: Reading; children: ReactNode }) {
  const { post, previous, next, goTo, toggleRead, toggleStar } = reading;
  return (
    <div className="article-actions" role="toolbar" aria-label="This post">
      {children}
      <button type="button" disabled={!post} aria-pressed={post?.starred ?? false} title="s" onClick={toggleStar}>
        <span aria-hidden="true">{post?.starred ? '★' : '☆'}</span> Star
      </button>
      <button type="button" disabled={!post} title="m" onClick={toggleRead}>
        {post?.read === false ? 'Mark read' : 'Mark unread'}
      </button>
      {post?.url && (
        <a className="button" href={post.url} target="_blank" rel="noopener noreferrer" title="o">
          <span>
            Open<span className="article-open-long"> at its site</span>
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
