import type { Publication } from '../publication';

/** Users can submit any URL scheme; only these are safe as links. */
const isWeb = (address: string) => /^https?:\/\//i.test(address);

export function Content({ content: { title, text, mediaUrls, link } }: Pick<Publication, 'content'>) {
  return (
    <div className="post-content">
      <h3>{title ?? 'Content'}</h3>
      {text ? <p className="post-text">{text}</p> : <p className="soft">No text.</p>}
      {link && <Address to={link} />}
      {mediaUrls.length > 0 && (
        <ul aria-label="Media">
          {mediaUrls.map((url) => (
            <li key={url}>
              <Address to={url} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function Address({ to, children }: { to: string; children?: string }) {
  if (!isWeb(to)) return <span className="break">{to}</span>;
  return (
    <a className="break" href={to} target="_blank" rel="noopener noreferrer">
      {children ?? to}
    </a>
  );
}
