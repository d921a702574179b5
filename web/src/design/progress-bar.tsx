interface Props {
  /** Read by screen readers. */
  label: string;
  done: number;
  total: number;
  /** Included in `done`. */
  failed?: number;
}

/** A total of 0 means that it is not known yet. */
export function ProgressBar({ label, done, total, failed = 0 }: Props) {
  const known = total > 0;
  const percent = (part: number) => `${known ? Math.min(100, (100 * part) / total) : 0}%`;
  return (
    <div
      className={known ? 'progress' : 'progress unknown'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={known ? total : undefined}
      aria-valuenow={known ? done : undefined}
    >
      <div className="progress-done" style={{ width: percent(done - failed) }} />
      <div className="progress-failed" style={{ width: percent(failed) }} />
    </div>
  );
}
