/** Shown only when it takes long enough to be noticed. */
export function Waiting({ for: what }: { for: string }) {
  return (
    <p className="waiting" role="status">
      Loading {what} …
    </p>
  );
}
