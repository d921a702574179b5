import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../design/empty-state';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { Article } from './article';
import { ArticleActions } from './article-actions';
import { type FeedFilter, feedAddress } from './feed-filter';
import { rowId } from './post-row';
import type { Reading } from './use-reading';

interface Props {
  reading: Reading;
  openId: string | undefined;
  filter: FeedFilter;
}

/** What is opened gets the focus, so that the keys that scroll do scroll it; closing gives it back to its row. */
export function ArticlePane({ reading, openId, filter }: Props) {
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
      {post ? <Article post={post} /> : <NoArticle {...{ reading, openId }} />}
    </section>
  );
}

function NoArticle({ reading: { problem, retry }, openId }: Omit<Props, 'filter'>): ReactNode {
  if (openId && problem) return <ProblemNote error={problem} onRetry={retry} />;
  if (openId) return <Waiting for="the post" />;
  return (
    <EmptyState title="Pick a post to read">
      <p>
        <kbd>j</kbd> opens the next one, <kbd>k</kbd> the one before, <kbd>?</kbd> shows all keys.
      </p>
    </EmptyState>
  );
}
