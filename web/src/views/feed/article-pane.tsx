import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../design/empty-state';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { Article } from './article';
import { type FeedFilter, feedAddress } from './feed-filter';
import type { SourceIcons } from './post';
import { rowId } from './post-row';
import type { ReadingState } from './use-reading';

interface Props {
  reading: ReadingState;
  openId: string | undefined;
  filter: FeedFilter;
  icons: SourceIcons;
}

/** The pane takes the focus, so that the arrow keys scroll it. Closing it returns the focus to the row. */
export function ArticlePane({ reading, openId, filter, icons }: Props) {
  const pane = useRef<HTMLElement>(null);
  const { post } = reading;
  const shownId = post?.id;
  useEffect(() => {
    if (!shownId) return;
    pane.current?.scrollTo({ top: 0 });
    pane.current?.focus({ preventScroll: true });
    return () => document.getElementById(rowId(shownId))?.focus({ preventScroll: true });
  }, [shownId]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="feed-article" ref={pane} tabIndex={0} aria-label={post?.title ?? 'Post'}>
      {openId && (
        <ArticleActions reading={reading}>
          <Link href={feedAddress(filter)} className="button feed-back">
            ← Posts
          </Link>
        </ArticleActions>
      )}
      {post ? <Article post={post} iconUrl={icons.get(post.sourceId)} /> : <NoArticle {...{ reading, openId }} />}
    </section>
  );
}

function NoArticle({ reading: { problem, retry }, openId }: Omit<Props, 'filter' | 'icons'>): ReactNode {
  if (openId && problem) return <ProblemNote error={problem} onRetry={retry} />;
  if (openId) return <Waiting for="the post" />;
  return (
    <EmptyState title="No post selected">
      <p>
        Press <kbd>j</kbd> for the next post, <kbd>k</kbd> for the previous one, <kbd>?</kbd> for all shortcuts.
      </p>
    </EmptyState>
  );
}

function ArticleActions({ reading, children }: { reading: ReadingState; children: ReactNode }) {
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
