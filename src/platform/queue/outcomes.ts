/** Ends a run without costing an attempt; the job runs again at that time. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';

  constructor(
    readonly until: Date,
    reason: string,
  ) {
    super(reason);
  }
}

/** Ends the job for good: trying again cannot help. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/** Another run has taken the row over; what this run wanted to write is refused. */
export class LostClaim extends Error {
  override readonly name = 'LostClaim';
}
