import { mediaKind } from './media-kind';
import type { Post } from './post';

/** A picture, sound or film that came beside the text. Its size is not known: its place is held in a usual shape. */
export function ArticleMedia({ media }: { media: Post['media'][number] }) {
  const { url, alt } = media;
  switch (mediaKind(media)) {
    case 'image':
      return (
        <figure className="article-media">
          <img src={url} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
        </figure>
      );
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: sources give none
      return <audio className="article-audio" src={url} controls preload="none" aria-label={alt ?? 'Sound'} />;
    case 'video':
      return (
        <figure className="article-media">
          {/* biome-ignore lint/a11y/useMediaCaption: sources give none */}
          <video src={url} controls preload="none" aria-label={alt ?? 'Film'} />
        </figure>
      );
    default:
      return (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {alt ?? `Attached: ${url.split('/').at(-1) || url}`}
          </a>
        </p>
      );
  }
}
