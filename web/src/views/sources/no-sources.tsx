import { EmptyState } from '../../design/empty-state';

const EXAMPLES: [what: string, example: string][] = [
  ['a site (Millrace finds its feed)', 'https://blog.example.org'],
  ['a feed (RSS, Atom, JSON Feed)', 'https://example.org/feed.xml'],
  ['a profile on Mastodon or Bluesky, or a YouTube channel', 'https://mastodon.example/@ann'],
];

export function NoSources() {
  return (
    <EmptyState title="No sources yet">
      <p>Paste a URL above. It can be:</p>
      <ul className="no-sources">
        {EXAMPLES.map(([what, example]) => (
          <li key={what}>
            {what}: <code>{example}</code>
          </li>
        ))}
      </ul>
      <p>Moving from another reader? Export your subscriptions as OPML and import the file here.</p>
    </EmptyState>
  );
}
