import { Link } from 'wouter';
import { nameOf, type Source } from './source';

interface Props {
  followed: Source[];
  /** What is known by now: a new source learns its name with its first fetch. */
  sources: Source[];
  /** Ids of what was followed before. */
  before: ReadonlySet<string>;
}

export function Followed({ followed, sources, before }: Props) {
  return followed.map((source) => (
    <p key={source.id}>
      You {before.has(source.id) ? 'follow' : 'now follow'}{' '}
      <Link href={`/sources/${source.id}`}>{nameOf(sources.find(({ id }) => id === source.id) ?? source)}</Link>
      {before.has(source.id) ? ' already.' : '. Its posts arrive in a moment.'}{' '}
      <Link href={`/feed?source=${source.id}`}>Read its posts</Link>
    </p>
  ));
}
