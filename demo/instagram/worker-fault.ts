import type { RemoteErrorCode } from '../../src/contracts/remote-error.js';

/** Why a command cannot be answered with posts, in the contract's words. */
export class WorkerFault extends Error {
  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    readonly details?: { retryAfterSeconds: number },
  ) {
    super(message);
  }
}
