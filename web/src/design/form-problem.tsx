import { Problem } from '../api/problem';
import { ProblemNote } from './problem-note';

interface Props {
  error: Error;
  /** Whether the form shows the error of this request field beside an input. */
  isPlaced: (path: string) => boolean;
}

/** The errors of a form that are not shown beside an input. */
export function FormProblem({ error, isPlaced }: Props) {
  const rest = error instanceof Problem ? error.fields.filter(({ path }) => !isPlaced(path)) : [];
  if (!(error instanceof Problem) || !error.fields.length) return <ProblemNote error={error} />;
  const words = rest.length
    ? rest.map(({ path, message }) => `${path}: ${message}`).join('; ')
    : 'Some fields are invalid. See the messages beside them.';
  return <ProblemNote error={new Error(words)} />;
}
