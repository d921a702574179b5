import type { components } from './schema';

type ProblemDetails = components['schemas']['Problem'];

/** A rejected or failed request. The message can be shown to the user. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly fields: { path: string; message: string }[];

  constructor(message: string, details: Partial<ProblemDetails> = {}) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.fields = details.errors ?? [];
  }

  of(path: string): string | undefined {
    return this.fields.find((field) => field.path === path || field.path.startsWith(`${path}.`))?.message;
  }
}

export function toProblem(response: Response | undefined, error: unknown, cause?: unknown): Problem {
  if (!response) return unreachable(cause);
  if (isDetails(error)) return new Problem(error.detail ?? error.title, error);
  return new Problem(`The server returned status ${response.status} without an explanation.`, {
    status: response.status,
  });
}

function unreachable(cause: unknown): Problem {
  const problem = new Problem('Could not reach Millrace. Is it still running?');
  problem.cause = cause;
  return problem;
}

const isDetails = (error: unknown): error is ProblemDetails =>
  typeof error === 'object' && error !== null && 'title' in error;
