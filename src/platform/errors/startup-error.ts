/** An error that the operator must fix before Millrace can run. Only its message is shown, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
