/** The style sheet delays it, so that a fast load does not flicker. */
export function Waiting({ for: what }: { for: string }) {
  return (
    <p className="waiting" role="status">
      Loading {what} …
    </p>
  );
}
