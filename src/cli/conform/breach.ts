/** The worker does not do what the contract wants. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** It could not be found out, and that is not the worker's fault. */
export class NotProbed extends Error {
  override readonly name = 'NotProbed';
}
