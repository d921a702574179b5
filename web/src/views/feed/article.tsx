import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { countOf } from '../../design/count-of';
import { RelativeTime } from '../../design/relative-time';
import { SourceIcon } from '../../design/source-icon';
import { mediaBeside, mediaKind } from './media-kind';
import type { Post } from './post';
import './article.css';

export function Article({ post, iconUrl }: { post: Post; iconUrl: string | null | undefined }) {
  const { title, source, author, publishedAt, metrics } = post;
  const byOther = author.displayName && author.displayName !== source.title;
  return (
    <article className="article">
      <header>
        <h2>{title || `Post by ${author.displayName || source.title || 'unknown author'}`}</h2>
        <p className="article-about small soft">
          <span className="article-source">
            <SourceIcon url={iconUrl} name={source.title ?? author.displayName} />
            <Link href={`/sources/${source.id}`}>{source.title ?? `Source ${source.id}`}</Link>
          </span>
          {byOther && <span title={author.username}>{author.displayName}</span>}
          <span>
            {new Date(publishedAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })} (
            <RelativeTime at={publishedAt} />)
          </span>
          {metrics && <Metrics {...metrics} />}
        </p>
      </header>
      <ArticleContent key={post.id} html={post.content} />
      {mediaBeside(post).map((media) => (
        <ArticleMedia key={media.url} media={media} />
      ))}
    </article>
  );
}

function Metrics({ likes, comments, shares }: NonNullable<Post['metrics']>) {
  const known = [
    likes !== undefined && countOf(likes, 'like'),
    comments !== undefined && countOf(comments, 'comment'),
    shares !== undefined && countOf(shares, 'share'),
  ].filter((words) => words !== false);
  return known.length > 0 && <span>{known.join(', ')}</span>;
}

/** The size of media is not known, so the style sheet reserves a common aspect ratio. */
function ArticleMedia({ media }: { media: Post['media'][number] }) {
  const { url, alt } = media;
  switch (mediaKind(media)) {
    case 'image':
      return (
        <figure className="article-media">
          <img src={url} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
        </figure>
      );
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: feeds have no captions
      return <audio className="article-audio" src={url} controls preload="none" aria-label={alt ?? 'Audio'} />;
    case 'video':
      return (
        <figure className="article-media">
          {/* biome-ignore lint/a11y/useMediaCaption: feeds have no captions */}
          <video src={url} controls preload="none" aria-label={alt ?? 'Video'} />
        </figure>
      );
    default:
      return (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {alt ?? `Attachment: ${url.split('/').at(-1) || url}`}
          </a>
        </p>
      );
  }
}

function ArticleContent({ html }: { html: string }) {
  const content = useRef<HTMLDivElement>(null);
  // A stable object keeps React from overwriting the attributes that `complete` adds.
  const inner = useMemo(() => ({ __html: html }), [html]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the text changes
  useEffect(() => {
    if (content.current) complete(content.current);
  }, [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server
  return <div className="article-content" ref={content} dangerouslySetInnerHTML={inner} />;
}

/** Opens links in a new tab, makes scrolling blocks focusable and marks images without `alt` as decoration. */
function complete(content: HTMLElement): void {
  for (const link of content.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  for (const image of content.querySelectorAll('img')) {
    image.referrerPolicy = 'no-referrer';
    if (!image.hasAttribute('alt')) image.alt = '';
  }
  for (const wide of content.querySelectorAll<HTMLElement>('pre, table')) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}
