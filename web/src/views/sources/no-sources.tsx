import { EmptyState } from '../../design/empty-state';

const EXAMPLES: [what: string, example: string][] = [
  ['a site; its feed is found', 'https://blog.example.org'],
  ['a feed (RSS, Atom, JSON Feed)', 'https://example.org/feed.xml'],
  ['a profile on Mastodon or Bluesky, or a YouTube channel', 'https://mastodon.example/@ann'],
];

/** What can be pasted above. */
export function NoSources() {
  return (
    <EmptyState title="You follow nothing yet">
      <p>Paste an address above. It may be</p>
      <ul className="no-sources">
        {EXAMPLES.map(([what, example]) => (
          <li key={what}>
            {what}: <code>{example}</code>
          </li>
        ))}
      </ul>
      <p>Coming from another reader? Export an OPML file there and import it here.</p>
    </EmptyState>
  );
}
