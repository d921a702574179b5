import { Link } from 'wouter';
import { countOf } from '../../design/count-of';
import { RelativeTime } from '../../design/relative-time';
import './article.css';
import { ArticleContent } from './article-content';
import { ArticleMedia } from './article-media';
import { mediaBeside } from './media-kind';
import type { Post } from './post';

export function Article({ post }: { post: Post }) {
  const { title, source, author, publishedAt, metrics } = post;
  const byOther = author.displayName && author.displayName !== source.title;
  return (
    <article className="article">
      <header>
        <h2>{title || `Post by ${author.displayName || source.title || 'unknown author'}`}</h2>
        <p className="article-about small soft">
          <Link href={`/sources/${source.id}`}>{source.title ?? `Source ${source.id}`}</Link>
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
