export function ProblemNote({ error, onRetry }: { error: Error; onRetry?: () => unknown }) {
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {onRetry && (
        <button type="button" onClick={() => onRetry()}>
          Try again
        </button>
      )}
    </div>
  );
}
