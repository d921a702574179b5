/** Of PostgreSQL's classes of errors: data exception, integrity violation, program limit exceeded. */
const DATA = /^(22|23|54)/;

/** What PostgreSQL said, if it refused a value that it was given. */
export function refusedValue(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && DATA.test(code) ? error.message : refusedValue(error.cause);
}
