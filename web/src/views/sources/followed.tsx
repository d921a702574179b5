import { Link } from 'wouter';
import { nameOf, type Source } from './source';

interface Props {
  followed: Source[];
  /** Used for the names, which are known after the first fetch. */
  sources: Source[];
  /** Ids of sources followed before. */
  before: ReadonlySet<string>;
}

export function Followed({ followed, sources, before }: Props) {
  return followed.map((source) => (
    <p key={source.id}>
      You {before.has(source.id) ? 'already follow' : 'now follow'}{' '}
      <Link href={`/sources/${source.id}`}>{nameOf(sources.find(({ id }) => id === source.id) ?? source)}</Link>
      {before.has(source.id) ? '.' : '. Its posts appear in a moment.'}{' '}
      <Link href={`/feed?source=${source.id}`}>Read posts</Link>
    </p>
  ));
}
