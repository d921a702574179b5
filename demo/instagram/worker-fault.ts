import type { RemoteErrorCode } from '../../src/contracts/remote-error.js';

/** Why a command cannot be answered with posts, with an error code of the contract. */
export class WorkerFault extends Error {
  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    readonly details?: { retryAfterSeconds: number },
  ) {
    super(message);
  }
}
