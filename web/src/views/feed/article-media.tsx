import { mediaKind } from './media-kind';
import type { Post } from './post';

/** The size of media is not known, so the style sheet reserves a common aspect ratio. */
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
