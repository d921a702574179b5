/** Something the operator must put right before Millrace can run: shown as its message alone, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
