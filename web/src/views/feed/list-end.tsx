import type { useFeed } from './use-feed';

export function ListEnd({ feed }: { feed: ReturnType<typeof useFeed> }) {
  const { hasNextPage, isFetchNextPageError, error, fetchNextPage } = feed;
  if (isFetchNextPageError)
    return (
      <div className="list-end" role="alert">
        <span>{error?.message}</span>
        <button type="button" onClick={() => void fetchNextPage()}>
          Try again
        </button>
      </div>
    );
  return <p className="list-end small soft">{hasNextPage ? 'Loading more …' : 'End of the list'}</p>;
}
