import { z } from 'zod';
import { CommandError, EXIT } from '../command.js';
import { printable } from '../show/printable.js';

/** A problem document, as far as it is shown. */
const Problem = z.object({
  status: z.number(),
  code: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The API has answered that it does not do this. */
export class Refused extends CommandError {
  override readonly name = 'Refused';

  constructor(readonly problem: Problem) {
    super(inWords(problem), problem.code === 'not_ready' ? EXIT.unreachable : EXIT.refused);
  }
}

export class Unreachable extends CommandError {
  override readonly name = 'Unreachable';

  constructor(message: string) {
    super(message, EXIT.unreachable);
  }
}

export const readProblem = (body: unknown) => Problem.safeParse(body).data;

export function cannotReach(url: string, error: unknown): Unreachable {
  return new Unreachable(
    `cannot reach ${url} (${reasonOf(error)}): is Millrace running? Start it with \`npm start\`, or say where it is with --url or MILLRACE_URL`,
  );
}

export const answersStrangely = (url: string, how: string) =>
  new Unreachable(`${url} answers, but not as Millrace does (${how}): is this the right address?`);

const HINTS: Record<string, string> = {
  invalid_key:
    'Give another key with --key or MILLRACE_KEY; that of a local Millrace is in its data folder, in admin-key.',
  route_not_found: 'Is that Millrace of another version than this command line?',
  admin_required: 'Use an admin key, and leave --as out.',
  cannot_act_for_others: 'Leave --as out, or use an admin key.',
};

function inWords({ title, detail, code, errors = [] }: Problem): string {
  const said = detail ?? title;
  const fields = errors.filter(({ message }) => !said.includes(message));
  const lines = fields.map(({ path, message }) => `  ${printable(path)}: ${printable(message)}`);
  return [`${printable(said)} (${code})`, ...lines, HINTS[code]].filter(Boolean).join('\n');
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  UND_ERR_HEADERS_TIMEOUT: 'no answer',
  UND_ERR_BODY_TIMEOUT: 'no answer',
};

/** `fetch` keeps the reason in the cause of its error, or that of one of several addresses below it. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error;
  const one = (cause as AggregateError).errors?.[0] ?? cause;
  const { code, message } = one as { code?: string; message?: string };
  return REASONS[String(code)] ?? message ?? String(code);
}
