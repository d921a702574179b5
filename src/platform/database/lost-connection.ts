/** Error codes of sockets, and PostgreSQL's codes for a server that stops, was killed or is starting. */
const CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'];
/** The driver gives these errors no code. */
const MESSAGES =
  /^Connection terminated|is not queryable$|^timeout exceeded when trying to connect|^Query read timeout|^no answer within /;

export function lostConnection(error: unknown): string | undefined {
  if (error instanceof AggregateError) return lostConnection(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  if ((code && CODES.includes(code)) || MESSAGES.test(error.message)) return error.message;
  return lostConnection(error.cause);
}
