import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Problem } from '../../api/problem';
import { Field } from '../../design/field';
import { followAddress, followOffers, type Offer } from './follow';
import { OfferChoice } from './offer-choice';
import { nameOf, type Source } from './source';
import { SOURCES_KEY } from './use-sources';

const HINT = 'Paste the URL of a site, feed or profile. Millrace finds the feed.';

export function FollowForm({ sources }: { sources: Source[] }) {
  const [url, setUrl] = useState('');
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const follow = useFollow(() => {
    setUrl('');
    field.current?.focus();
  });
  const { data, error, isPending } = follow;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!url.trim() || isPending) return;
    setBefore(new Set(sources.map(({ id }) => id)));
    follow.mutate(url.trim());
  };
  return (
    <form className="panel follow" onSubmit={submit} noValidate>
      <Field label="URL to follow" hint={HINT} mistake={error ? wordsOf(error) : undefined}>
        <input
          ref={field}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <button type="submit" className="primary" disabled={isPending || !url.trim()}>
        {isPending ? 'Searching …' : 'Follow'}
      </button>
      <div className="follow-result" aria-live="polite">
        {data && 'offers' in data && (
          <OfferChoice offers={data.offers} busy={isPending} onChoose={follow.mutate} onCancel={follow.reset} />
        )}
        {data && 'followed' in data && <Followed followed={data.followed} sources={sources} before={before} />}
      </div>
    </form>
  );
}

/** Takes a URL, or the feeds chosen from those that a page offers. */
function useFollow(onFollowed: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (target: string | Offer[]) =>
      typeof target === 'string' ? followAddress(target) : { followed: await followOffers(target) },
    onSuccess: (result) => {
      if ('offers' in result) return;
      onFollowed();
      void client.invalidateQueries({ queryKey: SOURCES_KEY });
    },
  });
}

const wordsOf = (error: Error) =>
  error instanceof Problem && error.status !== 400 ? error.message : fieldWords(error);
const fieldWords = (error: Error) => (error instanceof Problem && error.of('url')) || error.message;

interface Props {
  followed: Source[];
  /** Used for the names, which are known after the first fetch. */
  sources: Source[];
  /** Ids of sources followed before. */
  before: ReadonlySet<string>;
}

function Followed({ followed, sources, before }: Props) {
  return followed.map((source) => (
    <p key={source.id}>
      You {before.has(source.id) ? 'already follow' : 'now follow'}{' '}
      <Link href={`/sources/${source.id}`}>{nameOf(sources.find(({ id }) => id === source.id) ?? source)}</Link>
      {before.has(source.id) ? '.' : '. Its posts appear in a moment.'}{' '}
      <Link href={`/feed?source=${source.id}`}>Read posts</Link>
    </p>
  ));
}
