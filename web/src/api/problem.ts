import type { components } from './schema';

type ProblemDetails = components['schemas']['Problem'];

/** Something the server refused, or that could not be asked at all. Its message is for people. */
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

  /** What is wrong with one field of a form. */
  of(path: string): string | undefined {
    return this.fields.find((field) => field.path === path || field.path.startsWith(`${path}.`))?.message;
  }
}

export function toProblem(response: Response | undefined, error: unknown, cause?: unknown): Problem {
  if (!response) return unreachable(cause);
  if (isDetails(error)) return new Problem(error.detail ?? error.title, error);
  return new Problem(`Millrace answered ${response.status}, without saying why.`, { status: response.status });
}

function unreachable(cause: unknown): Problem {
  const problem = new Problem('Millrace cannot be reached. Is it still running?');
  problem.cause = cause;
  return problem;
}

const isDetails = (error: unknown): error is ProblemDetails =>
  typeof error === 'object' && error !== null && 'title' in error;
