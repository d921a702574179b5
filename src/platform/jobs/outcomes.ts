/** Ends a run without costing an attempt. The job runs again at `until`. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';

  constructor(
    readonly until: Date,
    reason: string,
  ) {
    super(reason);
  }
}

/** Ends the job for good, because another attempt cannot help. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/** Another run has taken the row, so the writes of this run are refused. */
export class LostClaim extends Error {
  override readonly name = 'LostClaim';
}
