import { z } from 'zod';
import { CommandError, EXIT } from '../command.js';
import { printable } from '../show/text.js';

/** The fields of a problem document (RFC 9457) that are shown. */
const Problem = z.object({
  status: z.number(),
  code: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The API has answered with a problem document. */
export class Refused extends CommandError {
  override readonly name = 'Refused';

  constructor(readonly problem: Problem) {
    super(messageOf(problem), problem.code === 'not_ready' ? EXIT.unreachable : EXIT.refused);
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
    `Could not reach ${url} (${reasonOf(error)}). Is Millrace running? Start it with \`npm start\`, or set its address with --url or MILLRACE_URL.`,
  );
}

export const notMillrace = (url: string, reason: string) =>
  new Unreachable(`The server at ${url} does not answer like Millrace (${reason}). Is the address correct?`);

const HINTS: Record<string, string> = {
  invalid_key:
    'Set another key with --key or MILLRACE_KEY. The key of a local Millrace is in its data folder, in `admin-key`.',
  route_not_found: 'The server may have another version than this command line.',
  admin_required: 'Use an admin key without --as.',
  cannot_act_for_others: 'Remove --as, or use an admin key.',
};

function messageOf({ title, detail, code, errors = [] }: Problem): string {
  const sentence = detail ?? title;
  const fields = errors.filter(({ message }) => !sentence.includes(message));
  const lines = fields.map(({ path, message }) => `  ${printable(path)}: ${printable(message)}`);
  return [`${printable(sentence)} (${code})`, ...lines, HINTS[code]].filter(Boolean).join('\n');
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

/** `fetch` hides the reason in the cause of its error. If a host has several addresses, the cause has an error for each. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error;
  const first = (cause as AggregateError).errors?.[0] ?? cause;
  const { code, message } = first as { code?: string; message?: string };
  return REASONS[String(code)] ?? message ?? String(code);
}
