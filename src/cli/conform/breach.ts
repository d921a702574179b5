/** The worker breaks the contract. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** The requirement could not be checked, for a reason that is not the worker's fault. */
export class NotProbed extends Error {
  override readonly name = 'NotProbed';
}
